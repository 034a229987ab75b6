/**
 * Binds a sign-in to the browser that began it, by random bits in a cookie. All sign-ins of a browser share one cookie,
 * so that two tabs do not replace each other's.
 */
import { randomBytes } from 'node:crypto'
import type { Parts } from '../parts.ts'
import { signInTtlMs } from './sign-in.ts'

const secretForm = /^[A-Za-z0-9_-]{43}$/

const nameCookie = ({ config }: Pick<Parts, 'config'>): string => `${config.brand}_social`

/** Undefined if there are two cookies: the right one cannot be told. */
export function readBrowserSecret(parts: Pick<Parts, 'config'>, headers: Headers): string | undefined {
  const cookies = [...new Bun.CookieMap(headers.get('cookie') ?? '')].filter(([name]) => name === nameCookie(parts))
  const secret = cookies.length === 1 ? cookies[0]?.[1] : undefined
  return secret && secretForm.test(secret) ? secret : undefined
}

export const makeBrowserSecret = (): string => randomBytes(32).toString('base64url')

/** A Set-Cookie header. Lax: the return from a provider is a cross-site link, with which Lax cookies are sent. */
export const makeBrowserCookie = (parts: Pick<Parts, 'config' | 'addresses'>, secret: string): string =>
  new Bun.Cookie({
    name: nameCookie(parts),
    value: secret,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    // A browser would not return a secure cookie over plain http, which is allowed on loopback only.
    secure: parts.addresses().authUrl.startsWith('https:'),
    maxAge: signInTtlMs / 1000,
  }).toString()
