/** Addresses of the hosted verification page, for people to open. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'

export const ReturnUrl = Type.Optional(
  Type.String({ maxLength: 2048, description: 'Where the hosted page sends the person afterwards: an https address.' }),
)

/** What of it is undefined is left out. Errors: VALIDATION_ERROR for a returnUrl that the page would refuse. */
export function hostedUrl(
  { addresses }: Pick<Parts, 'addresses'>,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const { returnUrl } = parameters
  if (returnUrl !== undefined && !isReturnable(returnUrl))
    throw new AppError(
      'VALIDATION_ERROR',
      'argument returnUrl must be an absolute https address; http is for loopback only',
      { argument: 'returnUrl' },
    )
  const url = new URL(`${addresses().authUrl}/verify`)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

function isReturnable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return username === '' && password === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback))
}
