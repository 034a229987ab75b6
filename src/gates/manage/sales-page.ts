/** The pages of lists of sales and payments: their query, their answer, and whose they are. */
import { Type } from '@sinclair/typebox'
import type { Account } from '../../auth/identity.ts'
import { showAction } from '../../auth/owner-action.ts'
import { cursorMaxLength } from '../../http/cursor.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { spanMembers } from '../../http/time-span.ts'
import type { Parts } from '../../parts.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { defineChoice, open } from '../../shape.ts'
import { writeAccount } from '../../wallet/account.ts'
import { requireOwnerOffer, requireReader } from './own-gate.ts'

export const ownerReads = { headers: OwnerHeaders, rate: 'reads', needs: 'profile' } as const

export const signedIn = `Signed in, with an access key, or signed over ${showAction('list_gates')}.`

const pageMembers = {
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$', description: '1 to 200. Default 50.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: cursorMaxLength, description: 'nextCursor of the page before.' })),
}
export const PageQuery = open({ ...pageMembers, ...spanMembers })
const sideMembers = {
  side: Type.Optional(defineChoice(['paid', 'received'], 'paid: by you. received: at your gates. Default received.')),
}
export const UnmatchedQuery = open({ ...sideMembers, ...pageMembers })
export const PaymentsQuery = open({ ...sideMembers, ...pageMembers, ...spanMembers })

export const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

export const describePageAnswer = (members: Parameters<typeof Type.Object>[0]) =>
  describeAnswer({
    data: Type.Object({ ...members, nextCursor: makeNullable(Type.String()) }),
    timestamp: IsoTimestamp,
  })

export interface Page {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
}

/** The accounts of the caller. Errors: those of requireReader. */
export async function listWallets(parts: Parts, request: Request): Promise<string[]> {
  const credentials = await requireOwnerOffer(parts, request)
  const caller = await requireReader(parts, credentials)
  const own: readonly Account[] = 'identity' in credentials ? await credentials.identity.listAccounts() : [caller]
  return [...new Set(own.map(writeAccount))].sort()
}
