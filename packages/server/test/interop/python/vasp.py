"""An institution on the official SDK for Python. It reads a call a line and writes its answer as a line; whoever started it speaks HTTP."""

import json
import sys
from datetime import datetime, timedelta, timezone

import ecies
import uma
from uma.protocol.counterparty_data import create_counterparty_data_options
from uma.protocol.currency import Currency
from uma.protocol.payer_data import compliance_from_payer_data
from uma.protocol.settlement import SettlementAsset, SettlementInfo, SettlementOption
from uma.uma_invoice_creator import IUmaInvoiceCreator
from uma.version import (
    get_supported_major_versions_from_error,
    select_highest_supported_version,
)


class Vasp:
    domain = ""
    signing = b""
    encryption = b""
    nonces = uma.InMemoryNonceCache(datetime.now(timezone.utc) - timedelta(hours=1))

    def open(self, given):
        self.domain = given["domain"]
        self.signing = bytes.fromhex(given["signingSecret"])
        self.encryption = bytes.fromhex(given["encryptionSecret"])
        document = uma.create_pubkey_response(
            given["signingChain"],
            given["encryptionChain"],
            datetime.fromtimestamp(given["expiresAt"], timezone.utc),
        )
        return {"document": document.to_json()}

    def lookUp(self, given):
        url = uma.create_uma_lnurlp_request_url(
            signing_private_key=self.signing,
            receiver_address=given["receiver"],
            sender_vasp_domain=self.domain,
            is_subject_to_travel_rule=given["isRegulated"],
            uma_version_override=given.get("umaVersion"),
        )
        return {"url": url}

    def speakOf(self, given):
        """The version that it speaks after the answer 412."""
        majors = get_supported_major_versions_from_error(given["text"])
        return {"umaVersion": select_highest_supported_version(majors)}

    def readLookupAnswer(self, given):
        answer = uma.parse_lnurlp_response(given["text"])
        keys = uma.PubkeyResponse.from_json(given["keys"])
        uma.verify_uma_lnurlp_response_signature(answer, keys, self.nonces)
        currencies = [
            {
                "code": each.code,
                "decimals": each.decimals,
                "multiplier": each.millisatoshi_per_unit,
                "min": each.min_sendable,
                "max": each.max_sendable,
            }
            for each in answer.currencies
        ]
        payer_data = answer.required_payer_data.items()
        return {
            "callback": answer.callback,
            "umaVersion": answer.uma_version,
            "currencies": currencies,
            "payerData": {key: option.to_dict() for key, option in payer_data},
            "receiver": answer.compliance.receiver_identifier,
            "isRegulated": answer.compliance.is_subject_to_travel_rule,
            "settlementOptions": [each.to_dict() for each in answer.settlement_options or []],
        }

    def payRequest(self, given):
        keys = uma.PubkeyResponse.from_json(given["keys"])
        compliance = uma.create_compliance_payer_data(
            receiver_encryption_pubkey=keys.get_encryption_pubkey(),
            signing_private_key=self.signing,
            payer_identifier=given["payer"],
            travel_rule_info=given.get("travelRule"),
            payer_kyc_status=uma.KycStatus.VERIFIED,
            payer_utxos=[],
            payer_node_pubkey=None,
            utxo_callback=given["utxoCallback"],
            travel_rule_format="ivms@101.2023" if given.get("travelRule") else None,
        )
        settlement = given.get("settlement")
        request = uma.create_pay_request(
            receiving_currency_code=given["currency"],
            amount=given["amount"],
            is_amount_in_receiving_currency=given["isReceived"],
            payer_identifier=given["payer"],
            uma_major_version=1,
            payer_name=given["name"],
            payer_email=None,
            payer_compliance=compliance,
            requested_payee_data=options(given["payeeData"]),
            comment=given.get("comment"),
            settlement_info=settlement
            and SettlementInfo(settlement["layer"], settlement["assetIdentifier"]),
        )
        return {"text": request.to_json()}

    def readPayAnswer(self, given):
        answer = uma.parse_pay_req_response(given["text"])
        keys = uma.PubkeyResponse.from_json(given["keys"])
        uma.verify_pay_req_response_signature(
            given["payer"], given["payee"], answer, keys, self.nonces
        )
        info = answer.payment_info
        return {
            "invoice": answer.encoded_invoice,
            "amount": info.amount,
            "currency": info.currency_code,
            "decimals": info.decimals,
            "multiplier": info.multiplier,
            "fee": info.exchange_fees,
            "payeeData": answer.payee_data,
        }

    def answerLookup(self, given):
        request = uma.parse_lnurlp_request(given["url"])
        keys = uma.PubkeyResponse.from_json(given["keys"])
        uma.verify_uma_lnurlp_query_signature(request, keys, self.nonces)
        currencies = [
            Currency(
                code=each["code"],
                name=each["name"],
                symbol="",
                millisatoshi_per_unit=each["multiplier"],
                min_sendable=each["min"],
                max_sendable=each["max"],
                decimals=each["decimals"],
            )
            for each in given["currencies"]
        ]
        answer = uma.create_uma_lnurlp_response(
            request=request,
            signing_private_key=self.signing,
            requires_travel_rule_info=given["isRegulated"],
            callback=given["callback"],
            encoded_metadata=given["metadata"],
            min_sendable_sats=1,
            max_sendable_sats=10_000_000,
            payer_data_options=options(given["payerData"]),
            currency_options=currencies,
            receiver_kyc_status=uma.KycStatus.VERIFIED,
            comment_chars_allowed=140,
            settlement_options=settlement_options(given.get("settlementOptions")),
        )
        return {"text": answer.to_json()}

    def answerPayRequest(self, given):
        request = uma.parse_pay_request(given["text"])
        keys = uma.PubkeyResponse.from_json(given["keys"])
        uma.verify_pay_request_signature(request, keys, self.nonces)
        sealed = compliance_from_payer_data(request.payer_data).encrypted_travel_rule_info
        currency = given["currency"]
        answer = uma.create_pay_req_response(
            request=request,
            invoice_creator=Asker(),
            metadata=given["metadata"],
            receiving_currency_code=currency["code"],
            receiving_currency_decimals=currency["decimals"],
            msats_per_currency_unit=currency["multiplier"],
            receiver_fees_msats=given["fee"],
            receiver_node_pubkey=None,
            utxo_callback=given["utxoCallback"],
            payee_identifier=given["payee"],
            signing_private_key=self.signing,
            payee_data=given["payeeData"],
        )
        return {
            "text": answer.to_json(),
            "travelRule": sealed
            and ecies.decrypt(self.encryption, bytes.fromhex(sealed)).decode(),
            "payerData": request.payer_data,
        }

    def hook(self, given):
        utxos = [uma.UtxoWithAmount(each["utxo"], each["amountMsats"]) for each in given["utxos"]]
        message = uma.create_post_transaction_callback(utxos, self.domain, self.signing)
        return {"text": message.to_json()}

    def readHook(self, given):
        message = uma.parse_post_transaction_callback(given["text"])
        keys = uma.PubkeyResponse.from_json(given["keys"])
        uma.verify_post_transaction_callback_signature(message, keys, self.nonces)
        utxos = [each.to_dict() for each in message.utxos]
        return {"vaspDomain": message.vasp_domain, "utxos": utxos}


class Asker(IUmaInvoiceCreator):
    """Asks whoever started it for an invoice."""

    def create_uma_invoice(self, amount_msats, metadata, receiver_identifier):
        write({"ask": {"amount": amount_msats, "metadata": metadata}})
        return json.loads(sys.stdin.readline())["invoice"]


def options(given):
    return create_counterparty_data_options(
        {key: option["mandatory"] for key, option in given.items()}
    )


def settlement_options(given):
    return given and [
        SettlementOption(
            each["settlementLayer"],
            [SettlementAsset(asset["identifier"], asset["multipliers"]) for asset in each["assets"]],
        )
        for each in given
    ]


def write(value):
    print(json.dumps(value), flush=True)


def main():
    vasp = Vasp()
    for line in iter(sys.stdin.readline, ""):
        call = json.loads(line)
        try:
            write({"result": getattr(vasp, call["call"])(call["given"])})
        # Whatever it throws at a message is its refusal.
        except Exception as error:  # pylint: disable=broad-except
            write({"error": f"{type(error).__name__}: {error}"})


main()
