/** Whether a URL's `hostname` always means this machine. Other names are checked by address when the connection is made. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
