/** All of one proof, in a window over the list: `/?proof=0x…` is its address. */

import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { isDigits, listFactLines } from '../../../fact-lines.ts'
import { factNames, truth } from '../../../words/en/facts.ts'
import { proofStates, proofDetail as words } from '../../../words/en/vault.ts'
import { visibility } from '../../../words/en/visibility.ts'
import { formatMoment } from '../../locale.ts'
import { Address } from '../address.tsx'
import { Dialog } from '../dialog.tsx'
import { model, root } from '../model.ts'
import { Command, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { useRepeat } from '../repeat.ts'
import { adjust, useRoute } from '../route.ts'
import { Time } from '../time.tsx'
import { findWords, nameProof } from '../verifier-words.ts'
import { Content } from './content.tsx'
import { findOwn } from './export.ts'
import { Revoke } from './revoke-one.tsx'
import { describeStatus, type Privacy, readPrivacy, readStatus } from './row.ts'
import { ShareLinks } from './share-links.tsx'
import { Sharing } from './sharing.tsx'
import { ChangeVisibility } from './visibility.tsx'
import { Yourself } from './yourself.tsx'

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'elsewhere' }
  | { readonly is: 'here'; readonly proof: ProofView }

const idForm = /^0x[0-9a-f]{64}$/i
const close = () => adjust({ proof: undefined, visibility: undefined }, { replace: true })

export function Detail({
  qHash,
  title,
  onRevoked,
  onShown,
}: {
  readonly qHash: string
  /** Details that the list has loaded already. */
  readonly title: string | undefined
  onRevoked(qHash: string): void
  onShown(qHash: string, privacy: Privacy): void
}) {
  const [state, setState] = useState<State>({ is: 'asking' })
  const look = useCallback(async () => {
    if (!idForm.test(qHash)) return setState({ is: 'elsewhere' })
    try {
      const proof = await findOwn(qHash, true)
      setState(proof ? { is: 'here', proof } : { is: 'elsewhere' })
    } catch (error) {
      setState({ is: 'failed', error })
    }
  }, [qHash])
  useEffect(() => void look(), [look])
  useRepeat({ error: state.is === 'failed' ? state.error : undefined, again: () => void look() })
  const heading = state.is === 'here' ? nameProof(state.proof) : (title ?? words.proof)
  return (
    <Dialog title={<bdi dir="auto">{heading}</bdi>} onClose={close} wide>
      {state.is === 'asking' && <Waiting what={words.loading} />}
      {state.is === 'failed' && <Problem error={state.error} retry={look} />}
      {state.is === 'elsewhere' && (
        <>
          <p>{words.elsewhere}</p>
          {idForm.test(qHash) && (
            <p>
              <a href={new URL(`proof/${qHash}`, root).href}>{words.open}</a>
            </p>
          )}
        </>
      )}
      {state.is === 'here' && (
        <Whole
          proof={state.proof}
          onRevoked={() => {
            onRevoked(state.proof.qHash)
            void look()
          }}
          onShown={(privacy) => {
            onShown(state.proof.qHash, privacy)
            void look()
          }}
        />
      )}
    </Dialog>
  )
}

interface WholeOf {
  readonly proof: ProofView
  onRevoked(): void
  onShown(privacy: Privacy): void
}

function Whole({ proof, onRevoked, onShown }: WholeOf) {
  const { query } = useRoute()
  const status = readStatus(proof)
  const [word, kind] = describeStatus(status)
  const privacy = visibility[readPrivacy(proof)]
  return (
    <>
      <p class="detail-state">
        <Tag kind={kind}>{word}</Tag> <Tag>{privacy.word}</Tag>
        {proof.tags?.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag detail-tag"
            title={words.showTag}
            onClick={() => adjust({ tag, proof: undefined })}
          >
            <bdi>{tag}</bdi>
          </button>
        ))}
      </p>
      <p class="quiet" role="status">
        {describeProofState(status, proof)}
      </p>
      {typeof proof.meta === 'object' && 'description' in proof.meta && (
        <p class="detail-text" dir="auto">
          {String(proof.meta.description)}
        </p>
      )}
      {proof.verifiedVerifiers?.map((row, index) => (
        <section key={`${row.verifierId} ${index}`}>
          <h3>
            {findWords(row.verifierId).title}: {describeClaim(row)}
          </h3>
          <Facts
            lines={listFactLines(row.data as Readonly<Record<string, unknown>>, {
              names: [findWords(row.verifierId).names, factNames],
              truth,
              chains: model.chainNames,
            }).map(({ name, value, at }) => [
              name,
              at !== undefined ? (
                formatMoment(at)
              ) : isDigits(value) ? (
                <Address value={value} whole />
              ) : (
                <bdi>{value}</bdi>
              ),
            ])}
          />
        </section>
      ))}
      <Content proof={proof} />
      <h3>{visibility.who}</h3>
      <p>{privacy.meaning}</p>
      <ChangeVisibility proof={proof} wanted={query.get('visibility')} onChanged={onShown} />
      {proof.privacyLevel === 'private' ? (
        proof.revokedAt == null && (
          <>
            <Sharing proof={proof} />
            <ShareLinks proof={proof} />
          </>
        )
      ) : (
        <Command text={`${model.baseUrl}/proof/${proof.qHash}`} label={words.copyLink} />
      )}
      <Yourself proof={proof} />
      <h3>{words.details}</h3>
      <Facts
        lines={[
          [words.made, formatMoment(proof.createdAt)],
          ...(proof.expiresAt == null ? [] : [[words.expires, formatMoment(proof.expiresAt)] satisfies FactRow]),
          [words.wallet, <Address value={proof.walletAddress ?? ''} whole canLabel />],
          ...(proof.subjectWallet
            ? [[words.about, <Address value={proof.subjectWallet} whole canLabel />] satisfies FactRow]
            : []),
          [words.id, <Address value={proof.qHash} whole />],
          [words.did, <Address value={proof.did ?? ''} whole />],
        ]}
      />
      {proof.revokedAt == null && <Revoke proof={proof} onRevoked={onRevoked} />}
    </>
  )
}

function describeProofState(
  status: string,
  { revokedAt, revokedReason, expiresAt, final }: ProofView,
): ComponentChildren {
  const age = (at: number | null | undefined) => (at == null ? undefined : <Time at={at} />)
  if (revokedReason === 'REORGANISED') return words.reorganised
  if (status === 'revoked') return words.revoked(age(revokedAt))
  if (status === 'expired') return words.expired(age(expiresAt))
  if (status === 'replaced') return words.replaced
  if (status === 'partially_verified') return words.partly
  if (status === 'imported') return words.imported
  return final === false ? words.notFinal : words.held
}

/** Follows the name of a claim and a colon. */
function describeClaim({ verified, status }: { readonly verified: boolean; readonly status: string }): string {
  const { claim } = proofStates
  if (verified) return claim.holds
  return status === 'expired' || status === 'revoked' || status === 'imported' ? claim[status] : claim.fails
}

type FactRow = readonly [name: string, value: ComponentChildren]

/** More are not shown: the API gives all. */
const factsShown = 60

const Facts = ({ lines }: { readonly lines: readonly FactRow[] }) => (
  <dl class="facts">
    {lines.slice(0, factsShown).map(([name, value], index) => (
      <div key={`${name} ${index}`}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
    {lines.length > factsShown && (
      <div>
        <dt>{words.more}</dt>
        <dd>{words.moreFacts(lines.length - factsShown)}</dd>
      </div>
    )}
  </dl>
)
