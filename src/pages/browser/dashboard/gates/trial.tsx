/** Tries the gate against a wallet, as it is written now. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isGuestList } from '../../../../gates/guests/guest-list.ts'
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { session } from '../model.ts'
import { Tag } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import type { Definition } from './definition.ts'
import { TextField, Tick } from './fields.tsx'
import { listFields } from './match-fields.ts'
import { nameRequired } from './requirement-form.tsx'

interface Explanation {
  readonly id: string
  readonly verifierIds: readonly string[]
  readonly isOptional: boolean
  readonly isSatisfied: boolean
  readonly needed: number
  readonly matched: number
  readonly code: string
  readonly nearest: {
    readonly qHash: string | null
    readonly createdAt: number
    readonly failed: readonly Failed[]
  } | null
}

interface Failed {
  readonly code: string
  readonly path?: string
  readonly op?: string
  readonly wanted?: string
  readonly found?: string | number | boolean
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
        {words.trial.title}
      </h2>
      <p class="quiet">{words.trial.lead}</p>
      <form
        class="trial-form"
        onSubmit={(event) => {
          event.preventDefault()
          void run.run()
        }}
      >
        <TextField
          label={words.trial.wallet}
          code
          value={wallet}
          maxLength={256}
          onChange={(text) => {
            setWallet(text)
            setTrial(undefined)
          }}
        />
        {isOwn(wallet) ? (
          <Tick label={words.trial.includePrivate} checked={includePrivate} onChange={setPrivate} />
        ) : (
          <p class="hint">{words.trial.publicOnly}</p>
        )}
        <button type="submit" class="button" aria-disabled={run.isBusy}>
          {words.trial.submit}
        </button>
      </form>
      <Problem error={run.error} />
      <div aria-live="polite">{trial && !run.error && <Result trial={trial} />}</div>
    </section>
  )
}

function Result({ trial }: { readonly trial: Trial }) {
  const { passes, state, requirements, missing, complete, walletAddress } = trial
  const { trial: told } = words
  const name = <Address value={walletAddress} />
  const verdict = passes
    ? told.passes(name)
    : missing.length > 0
      ? told.fails(name)
      : state === 'ended'
        ? told.ended(name)
        : told.notStarted(name)
  return (
    <>
      <div class={`verdict ${passes ? 'good' : 'bad'}`}>
        <p>
          <strong>{verdict}</strong>
        </p>
        {!complete && <p>{told.incomplete}</p>}
      </div>
      <ul class="explained">
        {requirements.map((one) => (
          <li key={one.id} class={one.isSatisfied ? 'met' : 'missing'}>
            <p>
              <strong>{one.verifierIds.map((id) => nameRequired(id).title).join(', ') || told.schedule}</strong>{' '}
              <Tag kind={one.isSatisfied ? 'good' : missing.includes(one.id) ? 'bad' : 'plain'}>
                {one.isSatisfied ? told.met : missing.includes(one.id) ? told.missing : told.notNeeded}
              </Tag>
            </p>
            <p class="quiet">
              <bdi>{explain(one)}</bdi> {one.nearest && <Nearest explanation={one} />}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The answer of the server has paths of proofs. Here the labels of the form stand in their place. */
function explain({ code, verifierIds, isSatisfied, needed, matched, nearest }: Explanation): string {
  const { codes, bounds, mustBe, noMatch, tooFew } = words.trial
  const verifierId = verifierIds[0] ?? ''
  if (isGuestList({ verifierId })) return isSatisfied ? codes.ON_LIST : codes.NOT_ON_LIST
  if (code === 'TOO_FEW') return tooFew(matched, needed)
  if (Object.hasOwn(codes, code)) return codes[code as keyof typeof codes]
  const part = nearest?.failed.find((one) => one.code === code)
  if (part?.path === undefined) return noMatch
  const field = listFields(verifierId).find(({ path, op }) => path === part.path && op === part.op)
  const bound = field ? '' : (bounds[part.op as keyof typeof bounds] ?? '')
  const found = part.found === undefined ? undefined : String(part.found)
  return mustBe(field?.label ?? part.path, `${bound}${part.wanted}`, found)
}

function Nearest({ explanation: { isSatisfied, nearest } }: { readonly explanation: Explanation }) {
  if (!nearest) return null
  const proof = nearest.qHash === null ? words.trial.unlistedProof : <Address value={nearest.qHash} />
  const write = isSatisfied ? words.trial.matching : words.trial.nearest
  return <>{write<ComponentChildren>(proof, <Time at={nearest.createdAt} />)}</>
}
