/** Whether a URL's `hostname` can only mean this machine. What a name leads to is judged where we connect. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
