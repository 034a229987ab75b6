/** The original content of a proof: asked for, and shown, only when the owner wants to see it. */

import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { proofDetail as words } from '../../../words/en/vault.ts'
import { callApi, resume } from '../api.ts'
import { useAction } from '../load.ts'
import { Command } from '../parts.tsx'
import { Problem } from '../problem.tsx'

export function Content({ proof }: { readonly proof: ProofView }) {
  const [content, setContent] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const look = useAction(async () => {
    const ask = () => callApi<{ data: ProofView }>('GET', `/api/v1/proofs/${proof.qHash}`)
    let { data } = await ask()
    // A caller without a session gets an answer with less content, so check whether the session is over.
    if (data.walletAddress === undefined && (await resume())) data = (await ask()).data
    if (data.walletAddress === undefined) return
    const found = data.publicContent?.content
    setContent(found)
    setMissing(found === undefined)
  })
  if (!(proof.options as { storeOriginalContent?: boolean } | undefined)?.storeOriginalContent) return null
  return (
    <section>
      <h3>{words.content}</h3>
      {content === undefined ? (
        <>
          {isMissing ? (
            <p>{words.noContent}</p>
          ) : (
            <div class="detail-actions">
              <button
                type="button"
                class="button secondary small"
                aria-disabled={look.isBusy}
                onClick={() => look.run()}
              >
                {words.showContent}
              </button>
            </div>
          )}
          <Problem error={look.error} />
        </>
      ) : (
        <div class="detail-content" dir="auto">
          <Command text={content} label={words.copyContent} />
          <button type="button" class="link" onClick={() => setContent(undefined)}>
            {words.hideContent}
          </button>
        </div>
      )}
    </section>
  )
}
