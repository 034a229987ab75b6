/**
 * The texts that a computer may send to a phone: those that this server asks for now, of the account that the phone
 * lends. Each is taken apart, written again and compared, so that no part of it goes unread. Else any page could borrow
 * this server's name to have a stranger sign anything, or sign today what counts tomorrow.
 */
import { requireOwnMessage } from '../auth/sign-in/sign-in.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { standardize } from '../verification/standardize.ts'
import { agentDelegationId, ownerActionVerifierId } from '../verifiers/roles.ts'
import type { ChainContext } from '../wallet/account.ts'
import { findStaleness } from '../wallet/freshness.ts'
import type { Account, Purpose, ReadText } from './pairing.ts'

/** Pages read with it which proofs a wallet has. Actions that change something are not for phones. */
const readingAction = 'gate_check_private_proofs'

/** Errors: VALIDATION_ERROR, EXPIRED_SIGNATURE, those of standardize(). */
export function readText(parts: Parts, text: string, account: Account, purpose: Purpose): ReadText {
  if (text.split('\n', 1)[0]!.includes(' wants you to sign in with your ')) {
    requireAccount(requireOwnMessage(parts, text).address, account)
    return { kind: 'sign-in' }
  }
  const { wallet, verifierIds, data, signedTimestamp } = readSixLines(parts, text)
  requireAccount(wallet, account)
  if (purpose === 'sign-in') throw makeForeignError('is not the text of a sign-in, which this code is for')
  const stale = findStaleness(signedTimestamp, parts.now(), parts.freshness)
  if (stale !== undefined) throw makeForeignError(`is not of now: ${stale}`)
  if (verifierIds.includes(ownerActionVerifierId) && data.action !== undefined) {
    if (data.action !== readingAction || verifierIds.length !== 1)
      throw makeForeignError('is an action that these pages do not ask for')
    return { kind: 'look', signedTimestamp }
  }
  if (data.action !== undefined) throw makeForeignError('is an action that these pages do not ask for')
  const { expiresAt } = data
  const hasEnd = verifierIds.includes(agentDelegationId) && typeof expiresAt === 'number' && expiresAt > 0
  return { kind: 'claim', verifierIds, signedTimestamp, ...(hasEnd ? { endsAt: expiresAt } : {}) }
}

function readSixLines(parts: Parts, text: string) {
  const [, ...lines] = text.split('\n')
  const [wallet = '', chain = '', verifiers = '', json = '', time = ''] = lines.map((line, index) =>
    line.slice(labels[index]?.length ?? 0),
  )
  const verifierIds = verifiers.split(',')
  const signedTimestamp = Number(time)
  const data = parseData(json)
  const context: ChainContext = /^[0-9]+$/.test(chain) ? { chainId: Number(chain) } : { chain }
  if (!Number.isSafeInteger(signedTimestamp)) throw makeForeignError('is none that this server asks for')
  if (verifierIds.some((id) => !parts.catalog.known.has(id)))
    throw makeForeignError('names a check that this server lacks')
  // What the server writes for these parts is what its pages ask for.
  const { signerString } = standardize(parts, { walletAddress: wallet, verifierIds, data, signedTimestamp, ...context })
  if (signerString !== text) throw makeForeignError('is none that this server asks for')
  return { wallet, verifierIds, data, signedTimestamp }
}

const labels = ['Wallet: ', 'Chain: ', 'Verifiers: ', 'Data: ', 'Timestamp: ']

function parseData(text: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return data as Readonly<Record<string, unknown>>
  } catch {
    // Refused below.
  }
  throw makeForeignError('has data that is no JSON object')
}

function requireAccount(named: string, { address }: Account): void {
  const isEvm = address.startsWith('0x')
  if (isEvm ? named.toLowerCase() !== address.toLowerCase() : named !== address)
    throw makeForeignError('names another wallet than the phone lends')
}

const makeForeignError = (why: string): AppError =>
  new AppError('VALIDATION_ERROR', `the text ${why}: a phone signs only what these pages ask for`, { path: '/text' })
