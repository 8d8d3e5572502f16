// An institution on the official SDK for Go. It reads a call a line and writes its answer as a line; whoever started it speaks HTTP.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"time"

	eciesgo "github.com/ecies/go/v2"
	"github.com/uma-universal-money-address/uma-go-sdk/uma"
	"github.com/uma-universal-money-address/uma-go-sdk/uma/protocol"
)

var (
	lines      = bufio.NewReaderSize(os.Stdin, 1<<20)
	vaspDomain string
	signing    []byte
	encryption []byte
	nonces     = uma.NewInMemoryNonceCache(time.Now().Add(-time.Hour))
)

type call struct {
	Call  string          `json:"call"`
	Given json.RawMessage `json:"given"`
}

var calls = map[string]func(json.RawMessage) (any, error){
	"open":             taking(open),
	"lookUp":           taking(lookUp),
	"speakOf":          taking(speakOf),
	"readLookupAnswer": taking(readLookupAnswer),
	"payRequest":       taking(payRequest),
	"readPayAnswer":    taking(readPayAnswer),
	"answerLookup":     taking(answerLookup),
	"answerPayRequest": taking(answerPayRequest),
	"hook":             taking(hook),
	"readHook":         taking(readHook),
}

func taking[T any](run func(T) (any, error)) func(json.RawMessage) (any, error) {
	return func(text json.RawMessage) (any, error) {
		var given T
		if err := json.Unmarshal(text, &given); err != nil {
			return nil, err
		}
		return run(given)
	}
}

func main() {
	for {
		var next call
		if !readLine(&next) {
			return
		}
		writeLine(answerTo(next))
	}
}

func answerTo(next call) (answer map[string]any) {
	// What the SDK panics at is its refusal of a message as well.
	defer func() {
		if fault := recover(); fault != nil {
			answer = map[string]any{"error": fmt.Sprint(fault)}
		}
	}()
	result, err := calls[next.Call](next.Given)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"result": result}
}

func readLine(into any) bool {
	text, err := lines.ReadBytes('\n')
	return err == nil && json.Unmarshal(text, into) == nil
}

func writeLine(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(text, '\n'))
}

func keysIn(document string) (protocol.PubKeyResponse, error) {
	var keys protocol.PubKeyResponse
	return keys, json.Unmarshal([]byte(document), &keys)
}

type opening struct {
	Domain, SigningSecret, EncryptionSecret, SigningChain, EncryptionChain string
	ExpiresAt                                                              int64
}

func open(given opening) (any, error) {
	vaspDomain = given.Domain
	signing, _ = hex.DecodeString(given.SigningSecret)
	encryption, _ = hex.DecodeString(given.EncryptionSecret)
	document, err := uma.GetPubKeyResponse(given.SigningChain, given.EncryptionChain, &given.ExpiresAt)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(document)
	return map[string]any{"document": string(text)}, err
}

type receiver struct {
	Receiver    string
	IsRegulated bool
	UmaVersion  *string
}

func lookUp(given receiver) (any, error) {
	signedUrl, err := uma.GetSignedLnurlpRequestUrl(
		signing, given.Receiver, vaspDomain, given.IsRegulated, given.UmaVersion)
	if err != nil {
		return nil, err
	}
	return map[string]any{"url": signedUrl.String()}, nil
}

// The version that it speaks after the answer 412.
func speakOf(given struct{ Text string }) (any, error) {
	majors, err := uma.GetSupportedMajorVersionsFromErrorResponseBody([]byte(given.Text))
	if err != nil {
		return nil, err
	}
	return map[string]any{"umaVersion": uma.SelectHighestSupportedVersion(majors)}, nil
}

type signed struct{ Text, Keys, Payer, Payee string }

func readLookupAnswer(given signed) (any, error) {
	answer, err := uma.ParseLnurlpResponse([]byte(given.Text))
	if err != nil {
		return nil, err
	}
	whole := answer.AsUmaResponse()
	if whole == nil {
		return nil, fmt.Errorf("the answer lacks what UMA needs")
	}
	keys, err := keysIn(given.Keys)
	if err != nil {
		return nil, err
	}
	if err = uma.VerifyUmaLnurlpResponseSignature(*whole, keys, nonces); err != nil {
		return nil, err
	}
	currencies := []any{}
	for _, each := range whole.Currencies {
		currencies = append(currencies, map[string]any{
			"code": each.Code, "decimals": each.Decimals, "multiplier": each.MillisatoshiPerUnit,
			"min": each.Convertible.MinSendable, "max": each.Convertible.MaxSendable,
		})
	}
	return map[string]any{
		"callback": whole.Callback, "umaVersion": whole.UmaVersion, "currencies": currencies,
		"payerData": whole.RequiredPayerData, "receiver": whole.Compliance.ReceiverIdentifier,
		"isRegulated": whole.Compliance.IsSubjectToTravelRule,
	}, nil
}

type payment struct {
	Amount                                    int64
	IsReceived                                bool
	Currency, Payer, Name, Keys, UtxoCallback string
	TravelRule                                *string
	PayeeData                                 protocol.CounterPartyDataOptions
	Comment                                   *string
}

func payRequest(given payment) (any, error) {
	keys, err := keysIn(given.Keys)
	if err != nil {
		return nil, err
	}
	point, err := keys.EncryptionPubKey()
	if err != nil {
		return nil, err
	}
	version := "101.2023"
	format := protocol.TravelRuleFormat{Type: "ivms", Version: &version}
	request, err := uma.GetUmaPayRequest(
		given.Amount, point, signing, given.Currency, given.IsReceived, given.Payer, 1, &given.Name,
		nil, given.TravelRule, &format, protocol.KycStatusVerified, &[]string{}, nil,
		given.UtxoCallback, &given.PayeeData, given.Comment)
	if err != nil {
		return nil, err
	}
	text, err := request.Encode()
	return map[string]any{"text": string(text)}, err
}

func readPayAnswer(given signed) (any, error) {
	answer, err := uma.ParsePayReqResponse([]byte(given.Text))
	if err != nil {
		return nil, err
	}
	keys, err := keysIn(given.Keys)
	if err != nil {
		return nil, err
	}
	err = uma.VerifyPayReqResponseSignature(answer, keys, nonces, given.Payer, given.Payee)
	if err != nil {
		return nil, err
	}
	info := answer.PaymentInfo
	return map[string]any{
		"invoice": answer.EncodedInvoice, "amount": info.Amount, "currency": info.CurrencyCode,
		"decimals": info.Decimals, "multiplier": info.Multiplier,
		"fee": info.ExchangeFeesMillisatoshi, "payeeData": answer.PayeeData,
	}, nil
}

type currency struct {
	Code, Name string
	Multiplier float64
	Decimals   int
	Min, Max   int64
}

type lookup struct {
	Url, Keys, Callback, Metadata string
	Currencies                    []currency
	PayerData                     protocol.CounterPartyDataOptions
	IsRegulated                   bool
}

func answerLookup(given lookup) (any, error) {
	request, err := lookupIn(given.Url)
	if err != nil {
		return nil, err
	}
	keys, err := keysIn(given.Keys)
	if err != nil {
		return nil, err
	}
	if err = uma.VerifyUmaLnurlpQuerySignature(*request.AsUmaRequest(), keys, nonces); err != nil {
		return nil, err
	}
	currencies := []protocol.Currency{}
	for _, each := range given.Currencies {
		currencies = append(currencies, protocol.Currency{
			Code: each.Code, Name: each.Name, MillisatoshiPerUnit: each.Multiplier,
			Convertible: protocol.ConvertibleCurrency{MinSendable: each.Min, MaxSendable: each.Max},
			Decimals:    each.Decimals, UmaMajorVersion: 1,
		})
	}
	verified, comment := protocol.KycStatusVerified, 140
	answer, err := uma.GetLnurlpResponse(
		*request, given.Callback, given.Metadata, 1, 10_000_000, &signing, &given.IsRegulated,
		&given.PayerData, &currencies, &verified, &comment, nil)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	return map[string]any{"text": string(text)}, err
}

type paid struct {
	Text, Keys, Payee, Metadata, UtxoCallback string
	Currency                                  currency
	Fee                                       int64
	PayeeData                                 protocol.PayeeData
}

func answerPayRequest(given paid) (any, error) {
	request, err := uma.ParsePayRequest([]byte(given.Text))
	if err != nil {
		return nil, err
	}
	keys, err := keysIn(given.Keys)
	if err != nil {
		return nil, err
	}
	if err = uma.VerifyPayReqSignature(request, keys, nonces); err != nil {
		return nil, err
	}
	compliance, err := request.PayerData.Compliance()
	if err != nil {
		return nil, err
	}
	travelRule, err := opened(compliance.EncryptedTravelRuleInfo)
	if err != nil {
		return nil, err
	}
	wanted, isDisposable := given.Currency, true
	answer, err := uma.GetPayReqResponse(
		*request, asker{}, given.Metadata, &wanted.Code, &wanted.Decimals, &wanted.Multiplier,
		&given.Fee, &[]string{}, nil, &given.UtxoCallback, &given.PayeeData, &signing, &given.Payee,
		&isDisposable, nil)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	return map[string]any{
		"text": string(text), "travelRule": travelRule, "payerData": request.PayerData,
	}, err
}

func opened(sealed *string) (*string, error) {
	if sealed == nil {
		return nil, nil
	}
	bytes, err := hex.DecodeString(*sealed)
	if err != nil {
		return nil, err
	}
	text, err := eciesgo.Decrypt(eciesgo.NewPrivateKeyFromBytes(encryption), bytes)
	if err != nil {
		return nil, err
	}
	plain := string(text)
	return &plain, nil
}

// Asks whoever started it for an invoice.
type asker struct{}

func (asker) CreateInvoice(amount int64, metadata string, _ *string) (*string, error) {
	writeLine(map[string]any{"ask": map[string]any{"amount": amount, "metadata": metadata}})
	var told struct{ Invoice string }
	if !readLine(&told) {
		return nil, fmt.Errorf("no invoice was given")
	}
	return &told.Invoice, nil
}

func hook(given struct{ Utxos []protocol.UtxoWithAmount }) (any, error) {
	message, err := uma.GetPostTransactionCallback(given.Utxos, vaspDomain, signing)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(message)
	return map[string]any{"text": string(text)}, err
}

func readHook(given signed) (any, error) {
	message, err := uma.ParsePostTransactionCallback([]byte(given.Text))
	if err != nil {
		return nil, err
	}
	keys, err := keysIn(given.Keys)
	if err != nil {
		return nil, err
	}
	err = uma.VerifyPostTransactionCallbackSignature(message, keys, nonces)
	return map[string]any{"vaspDomain": message.VaspDomain, "utxos": message.Utxos}, err
}

func lookupIn(text string) (*protocol.LnurlpRequest, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	request, err := uma.ParseLnurlpRequest(*parsed)
	if err != nil {
		return nil, err
	}
	if !request.IsUmaRequest() {
		return nil, fmt.Errorf("the lookup lacks what UMA needs")
	}
	return request, nil
}
