const EMAIL_ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** A plain ASCII address without consecutive dots; the domain has at least two labels. */
export function isEmailAddress(text: string): boolean {
  return EMAIL_ADDRESS.test(text);
}
