"""Pays a payroll from the platform's account in dollars: python3 payroll.py people.csv 2026-11

It can be run again at any time: it looks for the payments of earlier runs, and every person has one idempotency key a month, so what
was lost on the way is made once. It needs Python 3.9 and nothing else. See docs/guides/payroll.md.
"""

import base64
import csv
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

API = os.environ.get("FLORIN_URL", "http://127.0.0.1:8080") + "/2025-10-13"
PAIR = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
HEADERS = {
    "authorization": "Basic " + base64.b64encode(PAIR.encode()).decode(),
    "content-type": "application/json",
    # Has the server refuse a misspelt field instead of ignoring it.
    "prefer": "handling=strict",
}


class Refused(Exception):
    """The server said no, and nothing was done."""


def call(method, path, body=None, key=None):
    """Sends a call up to three times, each time with the same key, so that it is done once."""
    headers = HEADERS if key is None else {**HEADERS, "idempotency-key": key}
    data = None if body is None else json.dumps(body).encode()
    for tries_left in (2, 1, 0):
        request = urllib.request.Request(API + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.headers["x-should-retry"] == "false":
                problem = json.loads(text)
                said = f"{problem['code']}: {problem['message']}"
                # These do not say what an earlier call under the key has done.
                if problem["code"] in ("IDEMPOTENCY_KEY_REUSED", "UNAUTHORIZED", "FORBIDDEN"):
                    raise SystemExit(f"{method} {path}: {said}")
                raise Refused(said)
            if tries_left == 0:
                raise RuntimeError(f"{method} {path}: {error.code} {text}; run the program again")
        except (urllib.error.URLError, TimeoutError):
            if tries_left == 0:
                raise
        time.sleep(1)


def pages(path, **query):
    cursor = {}
    while True:
        page = call("GET", f"{path}?{urllib.parse.urlencode({**query, **cursor})}")
        yield from page["data"]
        if not page["hasMore"]:
            return
        cursor = {"cursor": page["nextCursor"]}


def cents(text):
    """All six currencies have two decimals."""
    if not re.fullmatch(r"\d+\.\d\d", text):
        raise SystemExit(f"{text} is no amount like 1250.00")
    return int(Decimal(text) * 100)


def account_info(person):
    bank, account = person["bank"], person["account"]
    details = {
        "US": {"accountType": "USD_ACCOUNT", "routingNumber": bank, "accountNumber": account},
        "DE": {"accountType": "EUR_ACCOUNT", "swiftCode": bank, "iban": account},
        "GB": {"accountType": "GBP_ACCOUNT", "sortCode": bank, "accountNumber": account},
        "MX": {"accountType": "MXN_ACCOUNT", "clabeNumber": account},
        "IN": {"accountType": "INR_ACCOUNT", "vpa": account},
        "BR": {"accountType": "BRL_ACCOUNT", "taxId": bank, "pixKey": account, "pixKeyType": "CPF"},
    }[person["country"]]
    beneficiary = {
        "beneficiaryType": "INDIVIDUAL",
        "fullName": person["fullName"],
        "countryOfResidence": person["country"],
    }
    return {**details, "beneficiary": beneficiary}


def payee_of(person, payees):
    if person["id"] in payees:
        return payees[person["id"]]
    body = {
        "platformAccountId": person["id"],
        "currency": person["currency"],
        "accountInfo": account_info(person),
    }
    return call("POST", "/platform/external-accounts", body, f"payee-{person['id']}")["id"]


def find_made(payee, description):
    """The payment of an earlier run, also of one whose keys are forgotten: they are kept for 30 days.

    Two runs at the same time both find nothing here; then the keys have the payment made once.
    """
    for made in pages("/transactions", receiverAccountIdentifier=payee):
        # The transaction of a quote is PENDING until the quote is executed.
        is_open_quote = "quoteId" in made and made["status"] == "PENDING"
        if made.get("description") == description and made["status"] != "EXPIRED" and not is_open_quote:
            return made["id"]
    return None


def order_for(person, source, payee, month):
    """What the payment costs, and a function that makes it, or finds it made, and answers its transaction's id."""
    key = f"payroll-{month}-{person['id']}"
    description = f"Salary {month}"
    made = find_made(payee, description)
    if made is not None:
        return 0, lambda: made
    amount = cents(person["amount"])
    if person["currency"] == "USD":
        body = {
            "source": {"accountId": source},
            "destination": {"accountId": payee},
            "amount": amount,
            "description": description,
        }
        return amount, lambda: call("POST", "/transfer-out", body, key)["id"]
    # A quote that expired has moved nothing, so the next one gets the next key. Any other state is the payment.
    attempt = 0
    while True:
        attempt += 1
        body = {
            "source": {"sourceType": "ACCOUNT", "accountId": source},
            "destination": {"destinationType": "ACCOUNT", "accountId": payee},
            "lockedCurrencySide": "RECEIVING",
            "lockedCurrencyAmount": amount,
            "purposeOfPayment": "SALARY",
            "description": description,
        }
        quote_key = f"{key}-{attempt}"
        answer = call("POST", "/quotes", body, quote_key)
        # The answer under a key is that of the first call: the state of today is read.
        quote = call("GET", f"/quotes/{answer['id']}")
        if quote["status"] != "EXPIRED":
            break

    def pay():
        if quote["status"] == "PENDING":
            call("POST", f"/quotes/{quote['id']}/execute", key=f"{quote_key}-execute")
        return quote["transactionId"]

    return quote["totalSendingAmount"] if quote["status"] == "PENDING" else 0, pay


def end_of(transaction_id):
    """Waits at most a minute. A program that runs for longer learns the end from a webhook."""
    until = time.monotonic() + 60
    while True:
        transaction = call("GET", f"/transactions/{transaction_id}")
        if transaction["status"] in ("COMPLETED", "FAILED") or time.monotonic() > until:
            return transaction
        time.sleep(0.25)


def main(path, month):
    if not re.fullmatch(r"\d{4}-\d\d", month):
        raise SystemExit("usage: payroll.py <people.csv> <month, like 2026-11>")
    with open(path, newline="", encoding="utf-8") as file:
        people = list(csv.DictReader(file))
    account = call("GET", "/platform/internal-accounts?currency=USD")["data"][0]
    payees = {
        each["platformAccountId"]: each["id"]
        for each in pages("/platform/external-accounts")
        if "platformAccountId" in each
    }

    orders, problems, payments = [], [], []
    for person in people:
        try:
            payee = payee_of(person, payees)
            orders.append((person, *order_for(person, account["id"], payee, month)))
        except Refused as refusal:
            problems.append((person, str(refusal)))

    cost = sum(each for _, each, _ in orders)
    available = account["balance"]["amount"]
    print(f"{len(orders)} people, {cost / 100} USD to pay, {available / 100} USD available")
    if cost > available:
        raise SystemExit("the account holds too little; nothing was paid")

    for person, _, pay in orders:
        try:
            payments.append((person, pay()))
        except Refused as refusal:
            problems.append((person, str(refusal)))

    paid = 0
    for person, transaction_id in payments:
        transaction = end_of(transaction_id)
        status, failure = transaction["status"], transaction.get("failure", {})
        print(person["id"], status, failure.get("code", transaction["reference"]))
        # A payment that was called off is COMPLETED too, with a failure and a refund.
        if status == "COMPLETED" and not failure:
            paid += 1
        else:
            problems.append((person, failure.get("message", f"the payment is {status}")))

    print(f"{paid} of {len(people)} paid")
    for person, why in problems:
        print(f"not paid: {person['id']} {person['fullName']}: {why}")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: payroll.py <people.csv> <month, like 2026-11>")
    sys.exit(main(sys.argv[1], sys.argv[2]))
