/** Lists the wallets that may read a private proof; adds and removes one. */
import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Address, Copy, Field, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'

interface Grants {
  readonly data: {
    readonly grants: readonly {
      readonly viewerWallet: string
      readonly createdAt: number
      readonly expiresAt: number | null
    }[]
    readonly hasMore: boolean
  }
}

const access = '/api/v1/verification/access'

/**
 * An EVM or a Solana address. Accounts of other chains, and contracts with their chain, are named by did:pkh or
 * CAIP-10.
 */
const addressForm = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|did:pkh:.+|[a-z0-9-]{3,8}:[a-zA-Z0-9._-]+:.+)$/

function findFault(viewer: string): string | undefined {
  if (viewer === '') return 'Give the address of the wallet that may read it.'
  return addressForm.test(viewer)
    ? undefined
    : 'That is no address of a wallet: it begins with 0x, or is one of Solana, or names its chain, as eip155:8453:0x… for a contract wallet. Names such as name.eth are not looked up.'
}

export function Sharing({ proof }: { readonly proof: ProofView }) {
  const { qHash, walletAddress: ownerWallet } = proof
  const shared = useLoad<Grants>(`${access}/${qHash}`)
  const [viewer, setViewer] = useState('')
  const [until, setUntil] = useState('86400')
  const [missing, setMissing] = useState<string>()
  const [done, setDone] = useState('')
  const sharing = useAction(async () => {
    const expiresInSeconds = until === 'forever' ? null : Number(until)
    const body = { qHash, ownerWallet, viewerWallet: viewer.trim(), expiresInSeconds }
    await callApi('POST', `${access}/grant`, { body })
    setViewer((now) => (now.trim() === body.viewerWallet ? '' : now))
    await shared.reload()
    setDone('Shared.')
  })
  const taking = useAction(async (viewerWallet: string) => {
    await callApi('POST', `${access}/withdraw`, { body: { qHash, ownerWallet, viewerWallet } })
    await shared.reload()
    setDone('Taken back.')
  })
  const grants = shared.data?.data.grants
  return (
    <div class="sharing">
      <h4>Shared with</h4>
      {shared.isLoading && !grants && <Waiting what="Looking up whom it is shared with" />}
      <Problem error={shared.error} retry={shared.reload} />
      {grants?.length === 0 && <p class="quiet">Nobody. You alone can read it.</p>}
      {grants && grants.length > 0 && (
        <>
          <ul class="list">
            {grants.map(({ viewerWallet, createdAt, expiresAt }) => (
              <li key={viewerWallet}>
                <span class="list-text">
                  <Address value={viewerWallet} whole />
                  <br />
                  <span>
                    since <Time at={createdAt} />,{' '}
                    {expiresAt === null ? (
                      'until you take it back'
                    ) : (
                      <>
                        ends <Time at={expiresAt} />
                      </>
                    )}
                  </span>
                </span>
                <button
                  type="button"
                  class="button secondary small"
                  aria-disabled={taking.isBusy}
                  aria-label={`Take back from ${viewerWallet}`}
                  onClick={() => taking.run(viewerWallet)}
                >
                  Take back
                </button>
              </li>
            ))}
          </ul>
          {shared.data?.data.hasMore && <p class="quiet">And more: these are the newest.</p>}
          <p class="sharing-link">
            <span>They sign in with that wallet, at this address:</span>{' '}
            <Copy text={`${model.baseUrl}/proof/${qHash}`} label="Copy the link" />
          </p>
        </>
      )}
      <p class="visually-hidden" role="status">
        {done}
      </p>
      <Problem error={taking.error} />
      <form
        class="sharing-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const fault = findFault(viewer.trim())
          setMissing(fault)
          if (fault === undefined) void sharing.run()
        }}
      >
        <Field label="Share it with a wallet" error={missing}>
          {(control) => (
            <input
              {...control}
              type="text"
              value={viewer}
              maxLength={160}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              placeholder="0x…"
              onInput={(event) => setViewer(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="For how long">
          {(control) => (
            <select {...control} value={until} onChange={(event) => setUntil(event.currentTarget.value)}>
              <option value="900">15 minutes</option>
              <option value="86400">A day</option>
              <option value="2592000">30 days</option>
              <option value="forever">Until you take it back</option>
            </select>
          )}
        </Field>
        <button type="submit" class="button secondary" aria-disabled={sharing.isBusy}>
          Share
        </button>
      </form>
      <p class="hint">
        Whoever has that wallet reads everything that you see here, the content as well. Taking it back ends that; what
        was read or copied stays known to them.
      </p>
      <Problem error={sharing.error} />
    </div>
  )
}
