/** Fills in a form with the throwaway wallet: the address, the time, and its signature over the text. */

import { writeCanonicalJson } from '../../../envelope/canonical-json.ts'
import { ownerActionVerifierId } from '../../../verifiers/roles.ts'
import { exampleOf, type Filled, keyOf } from './asked.ts'
import type { Operation } from './description.ts'
import { sha256Hex, type ThrowawayWallet } from './throwaway.ts'

/** The kind of signature that an operation needs, if a wallet of this page can make it. */
export type Signed = 'claim' | 'action' | 'message'

type Members = Readonly<Record<string, unknown>>

/** `{"action":"revoke_proof","qHash"}`, as descriptions write it: the request gives the value of a bare member. */
const action = /\{"action":"(\w+)"((?:,"\w+")*)\}/

const memberNames = ({ body }: Operation): ReadonlySet<string> => new Set(Object.keys(body?.schema.properties ?? {}))

export function signedBy(operation: Operation): Signed | undefined {
  const members = memberNames(operation)
  if (members.has('verifierIds') && members.has('data')) return 'claim'
  if (members.has('message') && members.has('signature')) return 'message'
  const takesSignature = members.has('signature') || operation.parameters.some(({ name }) => name === 'x-signature')
  return takesSignature && actionIn(operation) ? 'action' : undefined
}

function actionIn({ description, body }: Operation): { name: string; members: readonly string[] } | undefined {
  const found = action.exec(description) ?? action.exec(body?.schema.properties?.signature?.description ?? '')
  return found ? { name: found[1]!, members: [...found[2]!.matchAll(/\w+/g)].map(([member]) => member) } : undefined
}

export interface Signing {
  readonly wallet: ThrowawayWallet
  /** Unix milliseconds by the clock of the server. */
  readonly now: number
  /** Ids of objects created on this page, by name. */
  readonly remembered: Readonly<Record<string, string>>
  /** Sends a POST to the API and returns the member `data`. Errors: those of the server. */
  readonly post: (path: string, body: object) => Promise<Members>
}

/** Errors: SyntaxError for a body that is not JSON, and those of `post`. */
export async function signedForm(operation: Operation, filled: Filled, signing: Signing): Promise<Filled> {
  const kind = signedBy(operation)
  if (kind === 'claim') return claim(operation, filled, signing)
  if (kind === 'message') return message(filled, signing)
  return kind === 'action' ? ownerAction(operation, filled, signing) : filled
}

const written = (filled: Filled, body: object): Filled => ({ ...filled, body: JSON.stringify(body, null, 2) })
const bodyOf = ({ body }: Filled): Members => JSON.parse(body === '' ? '{}' : body)

async function claim(operation: Operation, filled: Filled, { wallet, now, post }: Signing): Promise<Filled> {
  const { signature, signatureMethod, chain, signedMessage, ...body } = bodyOf(filled)
  const asked = {
    ...body,
    walletAddress: wallet.address,
    // A claim about its signer in the example stays one about the new signer.
    data: replaced(body.data, String(body.walletAddress), wallet.address),
    signedTimestamp: now,
  }
  if (!memberNames(operation).has('signature')) return written(filled, asked)
  const { signerString } = await post('/api/v1/verification/standardize', asked)
  return written(filled, { ...asked, signature: wallet.sign(String(signerString)) })
}

async function message(filled: Filled, { wallet, post }: Signing): Promise<Filled> {
  const { message: text } = await post('/api/v1/auth/nonce', { walletAddress: wallet.address })
  return written(filled, { message: text, signature: wallet.sign(String(text)) })
}

async function ownerAction(operation: Operation, filled: Filled, signing: Signing): Promise<Filled> {
  const { wallet, now, post } = signing
  const { values, body } = withRemembered(operation, filled, signing)
  const { name, members } = actionIn(operation)!
  const owner = memberNames(operation).has('ownerWallet') ? 'ownerWallet' : 'walletAddress'
  const asked: Members = { ...body, ...(operation.body ? { [owner]: wallet.address } : {}) }
  const placed = Object.fromEntries(operation.parameters.map((one) => [one.name, values[keyOf(one)]]))
  const about = Object.fromEntries(
    members.flatMap((member) => {
      // The server signs addresses in lower case.
      const value = member === 'walletAddress' ? wallet.address.toLowerCase() : memberValue(member, asked, placed)
      return value === undefined ? [] : [[member, value]]
    }),
  )
  const { signerString } = await post('/api/v1/verification/standardize', {
    walletAddress: wallet.address,
    verifierIds: [ownerActionVerifierId],
    data: { action: name, ...about },
    signedTimestamp: now,
  })
  const signature = wallet.sign(String(signerString))
  if (memberNames(operation).has('signature')) {
    const { chain, signatureMethod, ...rest } = asked
    return written({ ...filled, values }, { ...rest, signature, signedTimestamp: now })
  }
  const headers = { 'x-wallet-address': wallet.address, 'x-signature': signature, 'x-signed-timestamp': String(now) }
  const inHeaders = Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [keyOf({ in: 'header', name: header }), value]),
  )
  const cleared = { 'header x-chain': '', 'header x-signature-method': '' }
  const form = operation.body ? written(filled, asked) : filled
  return { ...form, values: { ...values, ...cleared, ...ownView(operation, wallet), ...inHeaders } }
}

/** Puts this wallet into all parameters that name a wallet, and asks for the owner's view of private data. */
function ownView({ parameters }: Operation, { address }: ThrowawayWallet): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string>> = { address, includePrivate: 'true' }
  return Object.fromEntries(
    parameters.flatMap((one) => (own[one.name] === undefined ? [] : [[keyOf(one), own[one.name]!]])),
  )
}

/** Looks the member up in the body, one level below (a definition), and in the parameters. */
function memberValue(member: string, body: Members, placed: Readonly<Record<string, string | undefined>>): unknown {
  if (member in body) return body[member]
  if (placed[member]) return placed[member]
  const { definition } = body
  if (typeof definition !== 'object' || definition === null) return undefined
  if (member === 'digest') return `0x${sha256Hex(writeCanonicalJson(definition))}`
  return (definition as Members)[member]
}

/** The ids of the example do not exist: unchanged ones are replaced by ids created on this page. */
function withRemembered(operation: Operation, filled: Filled, { remembered }: Signing) {
  const example = exampleOf(operation)
  const body: Record<string, unknown> = { ...bodyOf(filled) }
  const exampleBody = bodyOf(example)
  const values: Record<string, string> = { ...filled.values }
  for (const [name, value] of Object.entries(remembered)) {
    const key = keyOf({ in: 'path', name })
    if (key in values && values[key] === example.values[key]) values[key] = value
    if (name in body && body[name] === exampleBody[name]) body[name] = value
  }
  return { values, body: body as Members }
}

/** Replaces the address of one wallet by another, wherever it is a whole string, in any spelling. */
function replaced(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.toLowerCase() === from.toLowerCase() ? to : value
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]))
}
