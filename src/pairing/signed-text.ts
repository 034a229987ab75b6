/**
 * The texts that a computer may send to a phone: those that this server asks for, of the account that the phone lends.
 * Else any page could borrow this server's name to have a stranger sign anything.
 */
import { parseMessage } from '../auth/sign-in/message.ts'
import { signInPlace } from '../auth/sign-in/sign-in.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { Account, Purpose, ReadText } from './pairings.ts'

/** Pages read with it which proofs a wallet has. Actions that change something are not for phones. */
const readingAction = 'gate_check_private_proofs'

/** Errors: VALIDATION_ERROR. */
export function readText(parts: Parts, text: string, account: Account, purpose: Purpose): ReadText {
  if (text.includes(' wants you to sign in with your ')) return readSignIn(parts, text, account)
  const { wallet, verifierIds, data } = readSixLines(parts, text)
  requireAccount(wallet, account)
  if (purpose === 'sign-in') throw makeForeignError('is not the text of a sign-in, which this code is for')
  const action: unknown = data.action
  if (action === undefined) return { kind: 'claim', verifierIds }
  if (action !== readingAction) throw makeForeignError('is an action that these pages do not ask for')
  return { kind: 'look' }
}

function readSignIn(parts: Parts, text: string, account: Account): ReadText {
  const message = parseMessage(text)
  const { domain, uri } = signInPlace(parts)
  if (message.domain !== domain || message.uri !== uri) throw makeForeignError('signs in to another server')
  requireAccount(message.address, account)
  return { kind: 'sign-in' }
}

function readSixLines({ titles }: Parts, text: string) {
  const [title = '', ...lines] = text.split('\n')
  const [wallet, chain, verifiers, data, time, more] = lines.map((line, index) => {
    const label = labels[index]
    return label !== undefined && line.startsWith(label) ? line.slice(label.length) : undefined
  })
  const isWhole = [wallet, chain, verifiers, data, time].every((value) => value !== undefined)
  if (!titles.includes(title) || !isWhole || more !== undefined || lines.length !== labels.length)
    throw makeForeignError('is none that this server asks for')
  return { wallet: wallet!, verifierIds: verifiers!.split(','), data: parseData(data!) }
}

const labels = ['Wallet: ', 'Chain: ', 'Verifiers: ', 'Data: ', 'Timestamp: ']

function parseData(text: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null) return data as Readonly<Record<string, unknown>>
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
