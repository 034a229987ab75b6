/**
 * What ties a sign-in to the browser that began it: random bits in a cookie. One for all sign-ins that a browser has
 * under way, so that two tabs do not take it from each other.
 */
import { randomBytes } from 'node:crypto'
import type { Parts } from '../parts.ts'
import { signInTtlMs } from './sign-in.ts'

const secretForm = /^[A-Za-z0-9_-]{43}$/

const nameCookie = ({ config }: Pick<Parts, 'config'>): string => `${config.brand}_social`

/** None where there are two: nobody knows which one is ours. */
export function readBrowserSecret(parts: Pick<Parts, 'config'>, headers: Headers): string | undefined {
  const cookies = [...new Bun.CookieMap(headers.get('cookie') ?? '')].filter(([name]) => name === nameCookie(parts))
  const secret = cookies.length === 1 ? cookies[0]?.[1] : undefined
  return secret && secretForm.test(secret) ? secret : undefined
}

export const makeBrowserSecret = (): string => randomBytes(32).toString('base64url')

/** A Set-Cookie header. The way back from a provider is a link from elsewhere, with which Lax cookies are sent. */
export const makeBrowserCookie = (parts: Pick<Parts, 'config' | 'addresses'>, secret: string): string =>
  new Bun.Cookie({
    name: nameCookie(parts),
    value: secret,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    // Over plain http, which is allowed on loopback only, a browser would not send it back.
    secure: parts.addresses().authUrl.startsWith('https:'),
    maxAge: signInTtlMs / 1000,
  }).toString()
