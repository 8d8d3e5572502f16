import { fileNameOf, type SampleCall } from "./sample-call.ts";

/** A sample that uses only Python's standard library. */
export function pythonSample(call: SampleCall): string {
  const { form } = call;
  const lines = [
    `import ${modulesOf(call).join(", ")}`,
    "",
    ...credentialLines(call),
    ...(form === undefined ? [] : formLines(call, form)),
    ...requestLines(call),
    ...answerLines(call),
  ];
  return lines.join("\n");
}

function modulesOf({ operation, json, form, takesKey, isText }: SampleCall): readonly string[] {
  const isJsonRead = !isText && operation.answers.some(({ status }) => status !== "204");
  const needed = {
    base64: operation.caller === "TOKEN",
    json: json !== undefined || isJsonRead,
    os: operation.caller !== "ANYONE",
    "urllib.request": true,
    uuid: takesKey || form !== undefined,
  };
  return Object.entries(needed).flatMap(([name, isNeeded]) => (isNeeded ? [name] : []));
}

function credentialLines({ operation }: SampleCall): readonly string[] {
  if (operation.caller !== "TOKEN") return [];
  return [
    `pair = os.environ["FLORIN_CLIENT_ID"] + ":" + os.environ["FLORIN_CLIENT_SECRET"]`,
    `credentials = base64.b64encode(pair.encode()).decode()`,
    "",
  ];
}

function formLines(call: SampleCall, form: Readonly<Record<string, string>>): readonly string[] {
  const name = fileNameOf(call);
  return [
    "boundary = uuid.uuid4().hex",
    `fields = ${pythonValue(form)}`,
    `with open("${name}", "rb") as file:`,
    "    content = file.read()",
    "parts = [",
    `    f'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"\\r\\n\\r\\n{value}\\r\\n'`,
    "    for name, value in fields.items()",
    "]",
    `head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="${name}"\\r\\n\\r\\n'`,
    'body = "".join(parts).encode() + head.encode() + content + f"\\r\\n--{boundary}--\\r\\n".encode()',
    "",
  ];
}

function requestLines({ operation, url, json, form, takesKey }: SampleCall): readonly string[] {
  const headers = [
    ...(operation.caller === "TOKEN" ? ['"Authorization": f"Basic {credentials}",'] : []),
    ...(operation.caller === "AGENT"
      ? ['"Authorization": "Bearer " + os.environ["FLORIN_AGENT_TOKEN"],']
      : []),
    ...(json === undefined ? [] : ['"Content-Type": "application/json",']),
    ...(form === undefined ? [] : ['"Content-Type": f"multipart/form-data; boundary={boundary}",']),
    ...(takesKey ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
  ];
  return [
    ...(json === undefined ? [] : [`body = ${pythonValue(json)}`]),
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    ...(operation.method === "GET" ? [] : [`    method="${operation.method}",`]),
    ...(json === undefined ? [] : ["    data=json.dumps(body).encode(),"]),
    ...(form === undefined ? [] : ["    data=body,"]),
    ...(headers.length === 0
      ? []
      : ["    headers={", ...headers.map((line) => `        ${line}`), "    },"]),
    ")",
  ];
}

function answerLines({ operation, isText }: SampleCall): readonly string[] {
  const open = "with urllib.request.urlopen(request) as answer:";
  if (isText) return [open, "    for line in answer:", '        print(line.decode(), end="")'];
  const hasBody = operation.answers.some(({ status }) => status !== "204");
  return [open, hasBody ? "    print(json.load(answer))" : "    print(answer.status)"];
}

function pythonValue(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = `${indent}    `;
  const line = Array.isArray(value)
    ? `[${value.map((item) => pythonValue(item, deeper)).join(", ")}]`
    : "";
  if (Array.isArray(value) && !line.includes("\n") && line.length < 60) return line;
  const parts = Array.isArray(value)
    ? value.map((item) => pythonValue(item, deeper))
    : Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member, deeper)}`,
      );
  const [start, end] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0) return `${start}${end}`;
  return `${start}\n${parts.map((part) => `${deeper}${part},`).join("\n")}\n${indent}${end}`;
}
