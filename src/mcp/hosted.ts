/** Addresses of pages of this server, for people to open. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import { returnUrlFault } from '../http/return-url.ts'
import type { Parts } from '../parts.ts'

export const ReturnUrl = Type.Optional(
  Type.String({ maxLength: 2048, description: 'Where the hosted page sends the person afterwards: an https address.' }),
)

/** Undefined members are omitted. Errors: VALIDATION_ERROR for a returnUrl that the page would refuse. */
export function buildHostedUrl(
  { addresses, config }: Pick<Parts, 'addresses' | 'config'>,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const { returnUrl } = parameters
  const fault = returnUrl === undefined ? undefined : returnUrlFault(returnUrl, config.pages.returnOrigins)
  if (fault !== undefined)
    throw new AppError('VALIDATION_ERROR', `argument returnUrl ${fault}`, { argument: 'returnUrl' })
  const url = new URL(`${addresses().authUrl}/verify`)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** The page of a proof for people. Programs read /api/v1/proofs/{qHash}. */
export const buildProofPageUrl = ({ addresses }: Pick<Parts, 'addresses'>, qHash: string): string =>
  `${addresses().authUrl}/proof/${qHash}`
