/** Tries the gate against a wallet, as it is written now. */
import { useState } from 'preact/hooks'
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { session } from '../model.ts'
import { Address, Tag } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { findWords } from '../verifier-words.ts'
import type { Definition } from './definition.ts'
import { TextField, Tick } from './fields.tsx'

interface Explanation {
  readonly id: string
  readonly verifierIds: readonly string[]
  readonly isOptional: boolean
  readonly isSatisfied: boolean
  readonly message: string
  readonly nearest: { readonly qHash: string | null; readonly createdAt: number } | null
}

interface Trial {
  readonly walletAddress: string
  readonly passes: boolean
  readonly state: 'open' | 'not_started' | 'ended'
  readonly complete: boolean
  readonly countsPrivate: boolean
  readonly requirements: readonly Explanation[]
  readonly missing: readonly string[]
}

const isOwn = (wallet: string): boolean =>
  session.accounts.some((one) => one.wallet.toLowerCase() === wallet.trim().toLowerCase())

export function TrialForm({ definition }: { readonly definition: Definition }) {
  const [wallet, setWallet] = useState(session.accounts[0]?.wallet ?? '')
  const [includePrivate, setPrivate] = useState(true)
  const [trial, setTrial] = useState<Trial>()
  const run = useAction(async () => {
    const body = { definition, wallet: wallet.trim(), includePrivate: includePrivate && isOwn(wallet) }
    const { data } = await callApi<{ readonly data: Trial }>('POST', '/api/v1/profile/gates/test', { body })
    setTrial(data)
  })
  return (
    <section aria-labelledby="trial-title">
      <h2 class="bench-title" id="trial-title">
        Would this wallet get in?
      </h2>
      <p class="quiet">
        The gate is tried as it is written now, published or not. Nothing is handed out, and nothing is paid.
      </p>
      <form
        class="trial-form"
        onSubmit={(event) => {
          event.preventDefault()
          void run.run()
        }}
      >
        <TextField
          label="Wallet"
          code
          value={wallet}
          maxLength={256}
          onChange={(text) => {
            setWallet(text)
            setTrial(undefined)
          }}
        />
        {isOwn(wallet) ? (
          <Tick label="Private proofs count as well" checked={includePrivate} onChange={setPrivate} />
        ) : (
          <p class="hint">Of the wallets of others only public proofs are looked at: more is not yours to know.</p>
        )}
        <button type="submit" class="button" aria-disabled={run.isBusy}>
          Try it
        </button>
      </form>
      <Problem error={run.error} />
      <div aria-live="polite">{trial && !run.error && <Result trial={trial} />}</div>
    </section>
  )
}

function Result({ trial }: { readonly trial: Trial }) {
  const { passes, state, requirements, missing, complete, walletAddress } = trial
  const isEnough = missing.length === 0
  return (
    <>
      <div class={`verdict ${passes ? 'good' : 'bad'}`}>
        <p>
          <strong>
            {passes ? 'Yes' : 'No'}, <Address value={walletAddress} />{' '}
            {passes
              ? 'would get in.'
              : isEnough
                ? `would not get in: the gate ${state === 'ended' ? 'has ended' : 'has not begun'}.`
                : 'would not get in yet.'}
          </strong>
        </p>
        {!complete && <p>There are more proofs than were looked at, so it may be otherwise.</p>}
      </div>
      <ul class="explained">
        {requirements.map(({ id, verifierIds, isSatisfied, isOptional, message, nearest }) => (
          <li key={id} class={isSatisfied ? 'met' : 'missing'}>
            <p>
              <strong>{verifierIds.map((one) => findWords(one).title).join(', ') || 'Schedule'}</strong>{' '}
              <Tag kind={isSatisfied ? 'good' : missing.includes(id) ? 'bad' : 'plain'}>
                {isSatisfied ? 'met' : isOptional || !missing.includes(id) ? 'not met, not needed' : 'missing'}
              </Tag>
            </p>
            <p class="quiet">
              <bdi>{`${message.charAt(0).toUpperCase()}${message.slice(1)}.`}</bdi>
              {nearest && (
                <>
                  {' '}
                  {isSatisfied ? 'By' : 'Nearest:'}{' '}
                  {nearest.qHash === null ? 'an unlisted proof' : <Address value={nearest.qHash} />},{' '}
                  <Time at={nearest.createdAt} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}
