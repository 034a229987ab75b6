/** All of one proof, in a window over the list: `/?proof=0x…` is its address. */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { isDigits, listFactLines } from '../../../fact-lines.ts'
import { describeState } from '../../../verifier-words.ts'
import { formatMoment } from '../../locale.ts'
import { Dialog } from '../dialog.tsx'
import { model, root } from '../model.ts'
import { Command, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { useRepeat } from '../repeat.ts'
import { adjust } from '../route.ts'
import { Time } from '../time.tsx'
import { findWords, nameProof } from '../verifier-words.ts'
import { Content } from './content.tsx'
import { findOwn } from './export.ts'
import { Revoke } from './revoke-one.tsx'
import { describeStatus, privacyWords, readPrivacy, readStatus } from './row.ts'
import { Sharing } from './sharing.tsx'
import { Yourself } from './yourself.tsx'

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'elsewhere' }
  | { readonly is: 'here'; readonly proof: ProofView }

const idForm = /^0x[0-9a-f]{64}$/i
const close = () => adjust({ proof: undefined }, { replace: true })

export function Detail({
  qHash,
  title,
  onRevoked,
}: {
  readonly qHash: string
  /** Details that the list has loaded already. */
  readonly title: string | undefined
  onRevoked(qHash: string): void
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
  const heading = state.is === 'here' ? nameProof(state.proof) : (title ?? 'A proof')
  return (
    <Dialog title={<bdi dir="auto">{heading}</bdi>} onClose={close} wide>
      {state.is === 'asking' && <Waiting what="Loading the proof" />}
      {state.is === 'failed' && <Problem error={state.error} retry={look} />}
      {state.is === 'elsewhere' && (
        <>
          <p>None of your proofs has this id: it may be somebody else’s, be erased, or be of another server.</p>
          {idForm.test(qHash) && (
            <p>
              <a href={new URL(`proof/${qHash}`, root).href}>See what this server shows you of it</a>
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
        />
      )}
    </Dialog>
  )
}

function Whole({ proof, onRevoked }: { readonly proof: ProofView; onRevoked(): void }) {
  const status = readStatus(proof)
  const [word, kind] = describeStatus(status)
  const privacy = privacyWords[readPrivacy(proof)]
  return (
    <>
      <p class="detail-state">
        <Tag kind={kind}>{word}</Tag> <Tag>{privacy.word}</Tag>
        {proof.tags?.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag detail-tag"
            title="Show all with this tag"
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
            {findWords(row.verifierId).title}: {describeState(row)}
          </h3>
          <Facts
            lines={listFactLines(row.data as Readonly<Record<string, unknown>>).map(({ name, value, at }) => [
              name,
              at === undefined ? <bdi>{value}</bdi> : formatMoment(at),
              isDigits(value),
            ])}
          />
        </section>
      ))}
      <Content proof={proof} />
      <h3>Who sees it</h3>
      <p>{privacy.meaning}</p>
      {proof.privacyLevel === 'private' ? (
        proof.revokedAt == null && <Sharing proof={proof} />
      ) : (
        <Command text={`${model.baseUrl}/proof/${proof.qHash}`} label="Copy the link" />
      )}
      <Yourself proof={proof} />
      <h3>Names of this proof</h3>
      <Facts
        lines={[
          ['Made', formatMoment(proof.createdAt)],
          ...(proof.expiresAt == null ? [] : [['Counts until', formatMoment(proof.expiresAt)] satisfies FactRow]),
          ['Wallet', proof.walletAddress, true],
          ...(proof.subjectWallet ? [['About the wallet', proof.subjectWallet, true] satisfies FactRow] : []),
          ['Id', proof.qHash, true],
          ['DID of the wallet', proof.did, true],
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
  if (revokedReason === 'REORGANISED')
    return 'The block that it was read from was replaced on its chain, and the claim did not hold when it was read again. It counts nowhere.'
  if (status === 'revoked')
    return (
      <>
        You revoked this proof
        {revokedAt != null && (
          <>
            , <Time at={revokedAt} />
          </>
        )}
        . It counts nowhere any more.
      </>
    )
  if (status === 'expired')
    return (
      <>
        It ended
        {expiresAt != null && (
          <>
            , <Time at={expiresAt} />
          </>
        )}
        . It counts nowhere any more.
      </>
    )
  if (status === 'replaced') return 'A newer proof of the same claim took its place. It can still be read by its id.'
  if (status === 'partially_verified') return 'Some of what it claims held when it was made, and some did not.'
  if (final === false)
    return 'This server checked what it claims when it was made, and found that it held. The block that it was read from is not final yet, and is watched until it is.'
  return 'This server checked what it claims when it was made, and found that it held.'
}

type FactRow = readonly [name: string, value: ComponentChildren, isAddress?: boolean]

/** More are not shown: the API gives all. */
const factsShown = 60

const Facts = ({ lines }: { readonly lines: readonly FactRow[] }) => (
  <dl class="facts">
    {lines.slice(0, factsShown).map(([name, value, isAddress], index) => (
      <div key={`${name} ${index}`}>
        <dt>{name}</dt>
        <dd class={isAddress ? 'address' : undefined}>{value}</dd>
      </div>
    ))}
    {lines.length > factsShown && (
      <div>
        <dt>And more</dt>
        <dd>{lines.length - factsShown} members</dd>
      </div>
    )}
  </dl>
)
