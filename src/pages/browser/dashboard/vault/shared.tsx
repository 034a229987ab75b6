/** Lists the proofs that others share with the wallets of the person: who, since when, until when. */

import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { sharedWithMe as words } from '../../../words/en/vault.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { useAction, useLoad } from '../load.ts'
import { root, session } from '../model.ts'
import { Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { nameProof } from '../verifier-words.ts'
import { describeStatus, readStatus } from './row.ts'

interface Shared {
  readonly viewerWallet: string
  readonly since: number
  readonly until: number | null
  readonly proof: ProofView
}

interface Answer {
  readonly data: { readonly shared: readonly Shared[]; readonly nextCursor: string | null }
}

const path = '/api/v1/profile/shared-proofs'

export function SharedWithMe() {
  const { data, error, reload, set } = useLoad<Answer>(path)
  const [leaving, setLeaving] = useState<Shared>()
  const more = useAction(async (cursor: string) => {
    const next = await callApi<Answer>('GET', path, { query: { cursor } })
    set(({ data: { shared } }) => ({ data: { ...next.data, shared: [...shared, ...next.data.shared] } }))
  })
  const found = data?.data
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <Problem error={error} retry={reload} />
      {!found && !error && <Waiting what={words.loading} />}
      {found?.shared.length === 0 && (
        <Empty title={words.none}>
          <p>{words.noneText}</p>
          <p>
            <Address value={session.accounts[0]!.wallet} whole />
          </p>
        </Empty>
      )}
      {found && found.shared.length > 0 && (
        <ul class="list" aria-label={words.title}>
          {found.shared.map((one) => (
            <SharedRow key={`${one.proof.qHash} ${one.viewerWallet}`} one={one} onLeave={() => setLeaving(one)} />
          ))}
        </ul>
      )}
      <Problem error={more.error} />
      {found?.nextCursor && (
        <p>
          <button
            type="button"
            class="button secondary"
            aria-disabled={more.isBusy}
            onClick={() => void more.run(found.nextCursor!)}
          >
            {words.more}
          </button>
        </p>
      )}
      {leaving && (
        <Confirm
          title={words.leaveTitle}
          yes={words.leaveYes}
          onYes={async () => {
            await callApi('DELETE', `${path}/${leaving.proof.qHash}`)
            set(({ data: before }) => ({
              data: { ...before, shared: before.shared.filter(({ proof }) => proof.qHash !== leaving.proof.qHash) },
            }))
            toast(words.left)
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            <strong>
              <bdi dir="auto">{nameProof(leaving.proof)}</bdi>
            </strong>
          </p>
          <p>{words.leaveEffect}</p>
        </Confirm>
      )}
    </>
  )
}

function SharedRow({ one, onLeave }: { readonly one: Shared; onLeave(): void }) {
  const { proof, viewerWallet, since, until } = one
  const [word, kind] = describeStatus(readStatus(proof))
  const title = nameProof(proof)
  return (
    <li>
      <div class="list-text">
        <strong>
          <a href={new URL(`proof/${proof.qHash}`, root).href}>
            <bdi dir="auto">{title}</bdi>
          </a>
        </strong>
        <span>
          {words.by(<Address value={proof.walletAddress ?? ''} canLabel />)} ·{' '}
          {words.since(<Time at={since} />, until === null ? undefined : <Time at={until} />)}
          {session.accounts.length > 1 && <> · {words.with(<Address value={viewerWallet} />)}</>}
        </span>
      </div>
      <Tag kind={kind}>{word}</Tag>
      <button type="button" class="button secondary small" aria-label={words.leaveOne(title)} onClick={onLeave}>
        {words.leave}
      </button>
    </li>
  )
}
