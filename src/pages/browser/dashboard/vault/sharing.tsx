/** Lists the wallets that may read a private proof; adds and removes one. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { proofSharing as words } from '../../../words/en/vault.ts'
import { shareTimes } from '../../../words/en/visibility.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Command, Field, LoopbackNote, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { hasFingerprint, keepsText } from './row.ts'

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
  if (viewer === '') return words.noAddress
  return addressForm.test(viewer) ? undefined : words.wrongAddress
}

export function Sharing({ proof }: { readonly proof: ProofView }) {
  const { qHash, walletAddress: ownerWallet } = proof
  const shared = useLoad<Grants>(`${access}/${qHash}`)
  const [viewer, setViewer] = useState('')
  const [until, setUntil] = useState('86400')
  const [missing, setMissing] = useState<string>()
  const [done, setDone] = useState<ComponentChildren>()
  const sharing = useAction(async () => {
    const expiresInSeconds = until === 'forever' ? null : Number(until)
    const body = { qHash, ownerWallet, viewerWallet: viewer.trim(), expiresInSeconds }
    await callApi('POST', `${access}/grant`, { body })
    setViewer((now) => (now.trim() === body.viewerWallet ? '' : now))
    await shared.reload()
    setDone(<p class="notice info">{words.shared(<Address value={body.viewerWallet} />)}</p>)
  })
  const taking = useAction(async (viewerWallet: string) => {
    await callApi('POST', `${access}/withdraw`, { body: { qHash, ownerWallet, viewerWallet } })
    await shared.reload()
    setDone(<p class="visually-hidden">{words.stopped}</p>)
  })
  const grants = shared.data?.data.grants
  return (
    <div class="sharing">
      <h4>{words.title}</h4>
      {shared.isLoading && !grants && <Waiting what={words.loading} />}
      <Problem error={shared.error} retry={shared.reload} />
      {grants?.length === 0 && <p class="quiet">{words.nobody}</p>}
      {grants && grants.length > 0 && (
        <>
          <ul class="list">
            {grants.map(({ viewerWallet, createdAt, expiresAt }) => (
              <li key={viewerWallet}>
                <span class="list-text">
                  <Address value={viewerWallet} whole canLabel />
                  <br />
                  <span>
                    {words.since(<Time at={createdAt} />, expiresAt === null ? undefined : <Time at={expiresAt} />)}
                  </span>
                </span>
                <button
                  type="button"
                  class="button secondary small"
                  aria-disabled={taking.isBusy}
                  aria-label={words.stopWith(viewerWallet)}
                  onClick={() => taking.run(viewerWallet)}
                >
                  {words.stop}
                </button>
              </li>
            ))}
          </ul>
          {shared.data?.data.hasMore && <p class="quiet">{words.newest}</p>}
        </>
      )}
      <div role="status">{done}</div>
      {grants && grants.length > 0 && (
        <>
          <p>{words.link}</p>
          <Command text={`${model.baseUrl}/proof/${qHash}`} label={words.copyLink} />
          <LoopbackNote address={model.baseUrl} />
        </>
      )}
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
        <Field label={words.wallet} error={missing}>
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
        <Field label={words.until}>
          {(control) => (
            <select {...control} value={until} onChange={(event) => setUntil(event.currentTarget.value)}>
              {Object.entries(shareTimes).map(([seconds, text]) => (
                <option key={seconds} value={seconds}>
                  {text}
                </option>
              ))}
              <option value="forever">{words.forever}</option>
            </select>
          )}
        </Field>
        <button type="submit" class="button secondary" aria-disabled={sharing.isBusy}>
          {words.share}
        </button>
      </form>
      <p class="hint">{words.hint(keepsText(proof))}</p>
      {hasFingerprint(proof) && <p class="hint">{words.noText}</p>}
      <Problem error={sharing.error} />
    </div>
  )
}
