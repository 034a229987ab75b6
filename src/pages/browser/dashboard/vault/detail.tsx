/** All of one proof, in a window over the list: `/?proof=0x…` is its address. */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { factLines, isDigits } from '../../../fact-lines.ts'
import { titleOf } from '../../../proof-saying.ts'
import { wordsFor } from '../../../verifier-words.ts'
import { Confirm, Dialog } from '../dialog.tsx'
import { model, root } from '../model.ts'
import { Command, Copy, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { adjust } from '../route.ts'
import { saveFile } from '../save-file.ts'
import { momentOf, Time } from '../time.tsx'
import { Content } from './content.tsx'
import { findOwn } from './export.ts'
import { revokeProof } from './revoke.ts'
import { privacyOf, privacyWords, statusOf, wordOfStatus } from './row.ts'
import { Sharing } from './sharing.tsx'

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
  /** What the list knows already. */
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
  const heading = state.is === 'here' ? titleOf(state.proof) : (title ?? 'A proof')
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
  const status = statusOf(proof)
  const [word, kind] = wordOfStatus(status)
  const privacy = privacyWords[privacyOf(proof)]
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
        {stateWords(status, proof)}
      </p>
      {typeof proof.meta === 'object' && 'description' in proof.meta && (
        <p class="detail-text" dir="auto">
          {String(proof.meta.description)}
        </p>
      )}
      {proof.verifiedVerifiers?.map((row, index) => (
        <section key={`${row.verifierId} ${index}`}>
          <h3>
            {wordsFor(row.verifierId).title}: {row.verified ? 'holds' : 'does not hold'}
          </h3>
          <Facts
            lines={factLines(row.data as Readonly<Record<string, unknown>>).map(({ name, value, at }) => [
              name,
              at === undefined ? <bdi>{value}</bdi> : momentOf(at),
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
          ['Made', momentOf(proof.createdAt)],
          ...(proof.expiresAt == null ? [] : [['Counts until', momentOf(proof.expiresAt)] satisfies FactRow]),
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

function stateWords(status: string, { revokedAt, expiresAt }: ProofView): ComponentChildren {
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

function Yourself({ proof }: { readonly proof: ProofView }) {
  const { portableProof, qHash } = proof
  const name = `proof-${qHash.slice(2, 10)}.json`
  return (
    <>
      <h3>Verify it yourself</h3>
      {portableProof ? (
        <>
          <p>
            Its portable form is a file that anybody can check without this server: that your wallet signed exactly
            this. It holds all that you signed, so give it only to whom you would show that.
          </p>
          <div class="detail-actions">
            <button
              type="button"
              class="button secondary small"
              onClick={() => saveFile(new Blob([`${JSON.stringify(portableProof, null, 2)}\n`]), name)}
            >
              Download the portable proof
            </button>
            <Copy text={JSON.stringify(portableProof)} label="Copy it" />
          </div>
          <Command text={`${model.program} verify ${name}`} label="Copy the command" />
        </>
      ) : (
        <p>
          Its portable form was handed out when it was made, and is not kept here: what you sign is kept only where you
          ask for it (<code>options.storeOriginalContent</code>). Whoever has that file checks it with{' '}
          <code>{model.program} verify</code>.
        </p>
      )}
    </>
  )
}

function Revoke({ proof, onRevoked }: { readonly proof: ProofView; onRevoked(): void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div class="detail-end">
      <button type="button" class="button danger small" onClick={() => setAsking(true)}>
        Revoke this proof
      </button>
      {isAsking && (
        <Confirm
          title="Revoke this proof?"
          yes="Revoke it for good"
          onYes={async () => {
            await revokeProof(proof.qHash)
            onRevoked()
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong>
              <bdi dir="auto">{titleOf(proof)}</bdi>
            </strong>
          </p>
          <RevokingMeans />
        </Confirm>
      )}
    </div>
  )
}

export const RevokingMeans = () => (
  <ul>
    <li>It counts nowhere any more: no gate and no check is content with it.</li>
    <li>Whoever it was shared with sees it no longer. Its id stays known, as revoked.</li>
    <li>It cannot be undone. You can make a new proof of the same claim.</li>
    <li>
      Portable files of it that somebody has still show that you signed; this server tells whoever asks that it is
      revoked.
    </li>
  </ul>
)
