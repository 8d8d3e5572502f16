const EMAIL_ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** An address as people have them: plain ASCII, dots but not two in a row, a domain of at least two labels. */
export function isEmailAddress(text: string): boolean {
  return EMAIL_ADDRESS.test(text);
}
