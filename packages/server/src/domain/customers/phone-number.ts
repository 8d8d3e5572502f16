/** A phone number as it is stored: without the spaces and hyphens that people group its digits by. */
export function plainPhoneNumber(text: string): string {
  return text.replace(/[ -]/g, "");
}
