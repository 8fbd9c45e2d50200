import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';

const BODY_BYTES = 64 * 1024;

/**
 * What every answer has. Scripts and styles come from this page alone, nothing is framed, and text can never become
 * markup: `require-trusted-types-for` makes innerHTML and its like throw.
 */
export const headers: MiddlewareHandler = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
  crossOriginOpenerPolicy: 'same-origin',
  crossOriginResourcePolicy: 'same-origin',
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
});

export const notStored: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('cache-control', 'no-store');
};

/** Only by the page's own names: a name of somebody else's that resolves to the loopback (DNS rebinding) is refused. */
export function ownHost(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const own = [`127.0.0.1:${port()}`, `localhost:${port()}`];
    if (!own.includes(context.req.header('host') ?? '')) {
      return context.text(
        `This page is served as http://${own[0]} only. From another machine: ssh -L ${port()}:127.0.0.1:${port()} HOST, then open that address there.\n`,
        421,
      );
    }
    return next();
  };
}

/** A token and no cookie: a browser sends nothing by itself, so no other page can act for the user. */
export function withToken(token: string): MiddlewareHandler {
  const wanted = Buffer.from(`Bearer ${token}`);
  return async (context, next) => {
    const given = Buffer.from(context.req.header('authorization') ?? '');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      return context.text('The token of this page is missing or old. `ralph ui` prints the whole address.\n', 401);
    }
    return next();
  };
}

export const smallBody: MiddlewareHandler = bodyLimit({
  maxSize: BODY_BYTES,
  onError: (context) => context.text(`A request has at most ${BODY_BYTES} bytes.\n`, 413),
});

/** What a form can send is refused, whatever it carries. */
export const jsonBody: MiddlewareHandler = async (context, next) => {
  const isJson = (context.req.header('content-type') ?? '').split(';', 1)[0] === 'application/json';
  if (context.req.method === 'POST' && !isJson) return context.text('Send application/json.\n', 415);
  return next();
};
