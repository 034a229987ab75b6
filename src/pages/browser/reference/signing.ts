/** Fills in a form with the throwaway wallet: the address, the time, and its signature over the text. */

import { writeCanonicalJson } from '../../../envelope/canonical-json.ts'
import { ownerActionVerifierId } from '../../../verifiers/roles.ts'
import { buildKey, type Filled, fillExample } from './asked.ts'
import type { Operation } from './description.ts'
import { hashSha256, type ThrowawayWallet } from './throwaway.ts'

/** The kind of signature that an operation needs, if a wallet of this page can make it. */
export type Signed = 'claim' | 'action' | 'message'

type Members = Readonly<Record<string, unknown>>

/** `{"action":"revoke_proof","qHash"}`, as descriptions write it: the request gives the value of a bare member. */
const action = /\{"action":"(\w+)"((?:,"\w+")*)\}/

const listMemberNames = ({ body }: Operation): ReadonlySet<string> =>
  new Set(Object.keys(body?.schema.properties ?? {}))

export function findSigned(operation: Operation): Signed | undefined {
  const members = listMemberNames(operation)
  if (members.has('verifierIds') && members.has('data')) return 'claim'
  if (members.has('message') && members.has('signature')) return 'message'
  const takesSignature = members.has('signature') || operation.parameters.some(({ name }) => name === 'x-signature')
  return takesSignature && readAction(operation) ? 'action' : undefined
}

function readAction({ description, body }: Operation): { name: string; members: readonly string[] } | undefined {
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
export async function signForm(operation: Operation, filled: Filled, signing: Signing): Promise<Filled> {
  const kind = findSigned(operation)
  if (kind === 'claim') return claim(operation, filled, signing)
  if (kind === 'message') return signMessage(filled, signing)
  return kind === 'action' ? signOwnerAction(operation, filled, signing) : filled
}

const writeBody = (filled: Filled, body: object): Filled => ({ ...filled, body: JSON.stringify(body, null, 2) })
const readBody = ({ body }: Filled): Members => JSON.parse(body === '' ? '{}' : body)

async function claim(operation: Operation, filled: Filled, { wallet, now, post }: Signing): Promise<Filled> {
  const { signature, signatureMethod, chain, signedMessage, ...body } = readBody(filled)
  const asked = {
    ...body,
    walletAddress: wallet.address,
    // A claim about its signer in the example stays one about the new signer.
    data: replaceValue(body.data, String(body.walletAddress), wallet.address),
    signedTimestamp: now,
  }
  if (!listMemberNames(operation).has('signature')) return writeBody(filled, asked)
  const { signerString } = await post('/api/v1/verification/standardize', asked)
  return writeBody(filled, { ...asked, signature: wallet.sign(String(signerString)) })
}

async function signMessage(filled: Filled, { wallet, post }: Signing): Promise<Filled> {
  const { message: text } = await post('/api/v1/auth/nonce', { walletAddress: wallet.address })
  return writeBody(filled, { message: text, signature: wallet.sign(String(text)) })
}

async function signOwnerAction(operation: Operation, filled: Filled, signing: Signing): Promise<Filled> {
  const { wallet, now, post } = signing
  const { values, body } = fillRemembered(operation, filled, signing)
  const { name, members } = readAction(operation)!
  const owner = listMemberNames(operation).has('ownerWallet') ? 'ownerWallet' : 'walletAddress'
  const asked: Members = { ...body, ...(operation.body ? { [owner]: wallet.address } : {}) }
  const placed = Object.fromEntries(operation.parameters.map((one) => [one.name, values[buildKey(one)]]))
  const about = Object.fromEntries(
    members.flatMap((member) => {
      // The server signs addresses in lower case.
      const value = member === 'walletAddress' ? wallet.address.toLowerCase() : readMember(member, asked, placed)
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
  if (listMemberNames(operation).has('signature')) {
    const { chain, signatureMethod, ...rest } = asked
    return writeBody({ ...filled, values }, { ...rest, signature, signedTimestamp: now })
  }
  const headers = { 'x-wallet-address': wallet.address, 'x-signature': signature, 'x-signed-timestamp': String(now) }
  const inHeaders = Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [buildKey({ in: 'header', name: header }), value]),
  )
  const cleared = { 'header x-chain': '', 'header x-signature-method': '' }
  const form = operation.body ? writeBody(filled, asked) : filled
  return { ...form, values: { ...values, ...cleared, ...fillOwnView(operation, wallet), ...inHeaders } }
}

/** Puts this wallet into all parameters that name a wallet, and asks for the owner's view of private data. */
function fillOwnView({ parameters }: Operation, { address }: ThrowawayWallet): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string>> = { address, includePrivate: 'true' }
  return Object.fromEntries(
    parameters.flatMap((one) => (own[one.name] === undefined ? [] : [[buildKey(one), own[one.name]!]])),
  )
}

/** Looks the member up in the body, one level below (a definition), and in the parameters. */
function readMember(member: string, body: Members, placed: Readonly<Record<string, string | undefined>>): unknown {
  if (member in body) return body[member]
  if (placed[member]) return placed[member]
  const { definition } = body
  if (typeof definition !== 'object' || definition === null) return undefined
  if (member === 'digest') return `0x${hashSha256(writeCanonicalJson(definition))}`
  return (definition as Members)[member]
}

/** The ids of the example do not exist: unchanged ones are replaced by ids created on this page. */
function fillRemembered(operation: Operation, filled: Filled, { remembered }: Signing) {
  const example = fillExample(operation)
  const body: Record<string, unknown> = { ...readBody(filled) }
  const exampleBody = readBody(example)
  const values: Record<string, string> = { ...filled.values }
  for (const [name, value] of Object.entries(remembered)) {
    const key = buildKey({ in: 'path', name })
    if (key in values && values[key] === example.values[key]) values[key] = value
    if (name in body && body[name] === exampleBody[name]) body[name] = value
  }
  return { values, body: body as Members }
}

/** Replaces the address of one wallet by another, wherever it is a whole string, in any spelling. */
function replaceValue(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.toLowerCase() === from.toLowerCase() ? to : value
  if (Array.isArray(value)) return value.map((one) => replaceValue(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceValue(member, from, to)]))
}
