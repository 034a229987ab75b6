/** Lets a wallet of this browser sign an action of its owner: for what a session may not do. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ProofgateError } from '../../../client/client.ts'
import { ownerActionVerifierId } from '../../../verifiers/roles.ts'
import { makeElement } from '../../../web/ui/dom.ts'
import { wallets as words } from '../../words/en/wallets.ts'
import { isSameAddress, type Person, readPerson } from '../person.ts'
import type { Wallet } from '../wallet.ts'
import { renderExplanation } from '../wallet-error.ts'
import { WalletList, writeName } from '../wallet-list.ts'
import { lookForWallets } from '../wallets-here.ts'
import { explainError } from '../words.ts'
import { callApi } from './api.ts'
import { describeProblem } from './failure.ts'
import { readNow } from './model.ts'

/** The members of a body that carry the signature. */
export interface SignedAction {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
}

interface SigningWalletsOf {
  /** What a press does, such as "Sign and make it private". */
  readonly does: string
  /** The account that must sign. */
  readonly address: string
  readonly action: object
  /** Sends the signed action. Errors: ProofgateError. */
  onSigned(signed: SignedAction): Promise<void>
}

export function SigningWallets(props: SigningWalletsOf) {
  const place = useRef<HTMLUListElement>(null)
  const problem = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const [count, setCount] = useState<number>()
  // The wallets are looked for once, and what to sign may change afterwards.
  const current = useRef(props)
  current.current = props
  const isBusy = useRef(false)
  const isShown = useRef(true)
  const list = useRef<WalletList>(null)

  useEffect(() => {
    const choose = async (wallet: Wallet, button: HTMLButtonElement): Promise<void> => {
      if (isBusy.current) return
      isBusy.current = true
      button.setAttribute('aria-disabled', 'true')
      problem.current?.replaceChildren()
      try {
        await signAndSend(wallet, current.current, { say: setSaid, isWanted: () => isShown.current })
      } catch (error) {
        showFault(problem.current, error, wallet)
      } finally {
        isBusy.current = false
        button.removeAttribute('aria-disabled')
        setSaid('')
      }
    }
    const found = new WalletList(place.current!, (wallet, button) => void choose(wallet, button), current.current.does)
    list.current = found
    lookForWallets({
      list: found,
      isUnderWay: () => isBusy.current,
      changed: () => found.count > 0 && setCount(found.count),
      settled: () => setCount(found.count),
    })
    return () => {
      isShown.current = false
    }
  }, [])
  useEffect(() => list.current?.name(props.does), [props.does])

  return (
    <div class="sign-with">
      <ul class="choices" aria-label={words.list} ref={place} />
      {count === 0 && <p class="notice warning">{words.noneToSign}</p>}
      <p role="status">{said}</p>
      <div ref={problem} role="alert" />
    </div>
  )
}

/** The account of the wallet is not the one that must sign. */
class WrongAccount extends Error {}

interface Signing {
  say(text: string): void
  /** False once the person has closed the window: a late signature is not sent. */
  isWanted(): boolean
}

async function signAndSend(
  wallet: Wallet,
  { address, action, onSigned }: SigningWalletsOf,
  { say, isWanted }: Signing,
): Promise<void> {
  const name = writeName(wallet)
  say(words.waiting(name))
  const person = await readPerson(wallet, await wallet.connect())
  if (!isSameAddress(person.address, address)) throw new WrongAccount(person.address)
  const { signed, text } = await prepare(person, action)
  if (!isWanted()) return
  say(words.signText(name))
  const signature = await person.wallet!.connection.sign(text)
  if (!isWanted()) return
  say(words.checking)
  await onSigned({ ...signed, ...signature })
}

async function prepare({ address, context }: Person, data: object) {
  const signedTimestamp = readNow()
  const body = { walletAddress: address, verifierIds: [ownerActionVerifierId], data, signedTimestamp, ...context }
  const answer = await callApi<{ data: { signerString: string } }>('POST', '/api/v1/verification/standardize', { body })
  const chain = context.chain ?? (context.chainId === undefined ? undefined : `eip155:${context.chainId}`)
  const signed = { walletAddress: address, signedTimestamp, ...(chain === undefined ? {} : { chain }) }
  return { signed, text: answer.data.signerString }
}

function showFault(place: HTMLElement | null, error: unknown, wallet: Wallet): void {
  const text =
    error instanceof WrongAccount
      ? words.otherAccount(writeName(wallet))
      : error instanceof ProofgateError
        ? describeProblem(error)
        : renderExplanation(explainError(error, writeName(wallet), 'sign'))
  place?.replaceChildren(makeElement('div', { class: 'notice danger' }, text))
}
