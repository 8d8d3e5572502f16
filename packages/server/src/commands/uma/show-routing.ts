import type { Config } from "../../config.ts";
import { inLowerCase, isDomainName } from "../../domain/customers/uma-address.ts";
import { StartRefused } from "../../std/errors.ts";
import { print } from "../print.ts";

/** `florin uma routing`: prints what a proxy needs, so that the public paths of a UMA domain lead to this server. */
export function showRoutingFromShell({ HOST, PORT }: Config, given: string): void {
  const domain = inLowerCase(given);
  if (!isDomainName(domain)) throw new StartRefused(`${given} is no domain name`);
  print(routingBlocks(domain, addressOf(HOST, PORT)));
}

/** A server on all addresses is reached at this machine's own. */
function addressOf(host: string, port: number): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/**
 * The path goes on as it was sent, neither decoded nor rewritten, with its query; `Host` goes on; nothing is cached. `/uma/` is for calls about
 * payments, where the domain's `callbackBase` is `DOMAIN`.
 */
export function routingBlocks(domain: string, server: string): string {
  return `# The name servers of ${domain} lead to the proxy, which has a certificate for it. TRUSTED_PROXIES of the server names the
# address of the proxy. Take the blocks of one proxy, reload it, and run: florin uma check ${domain}

# nginx
server {
    listen 443 ssl;
    server_name ${domain};
    ssl_certificate     /etc/nginx/${domain}.crt;
    ssl_certificate_key /etc/nginx/${domain}.key;

    location ~ ^/(\\.well-known/(lnurlp/|lnurlpubkey$|uma-configuration$)|uma/) {
        # No path behind the address: nginx would decode the path of the call.
        proxy_pass http://${server};
        proxy_http_version 1.1;
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-Host $host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_cache off;
    }
}

# HAProxy: in the frontend of port 443, which has the certificate
    acl uma_host req.hdr(host),field(1,:) -i ${domain}
    acl uma_path path_beg /.well-known/lnurlp/ /uma/
    acl uma_path path /.well-known/lnurlpubkey /.well-known/uma-configuration
    http-request set-header X-Forwarded-Host ${domain} if uma_host uma_path
    http-request set-header X-Forwarded-Proto https if uma_host uma_path
    use_backend florin_uma if uma_host uma_path

backend florin_uma
    option forwardfor
    server florin1 ${server}

# Caddy
${domain} {
    @uma path /.well-known/lnurlp/* /.well-known/lnurlpubkey /.well-known/uma-configuration /uma/*
    reverse_proxy @uma ${server}
}`;
}
