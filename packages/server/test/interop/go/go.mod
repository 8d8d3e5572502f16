module florin.example/interop

go 1.21

require (
	github.com/ecies/go/v2 v2.0.9
	github.com/uma-universal-money-address/uma-go-sdk v1.4.0
)

require (
	github.com/decred/dcrd/bech32 v1.1.4 // indirect
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.2.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/crypto v0.17.0 // indirect
)
