/** The application of widget-in-preact.tsx, in React. */
/** @jsxImportSource react */
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { ProofGateDone, ProofgateElements } from '../../src/pages/browser/widget/widget.d.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends ProofgateElements {}
  }
}

function Membership() {
  const [isLocked, setLocked] = useState(true)
  const [done, setDone] = useState<ProofGateDone>()
  const [closed, setClosed] = useState(0)
  const [problem, setProblem] = useState('')
  return (
    <main>
      <button type="button" onClick={() => setLocked(!isLocked)}>
        {isLocked ? 'Unlock' : 'Lock'}
      </button>
      <proof-gate
        gate-id="gate_members"
        label={isLocked ? 'Locked' : 'Join the club'}
        disabled={isLocked}
        onproofgate-done={({ detail }) => setDone(detail)}
        onproofgate-closed={() => setClosed(closed + 1)}
        onproofgate-error={({ detail }) => setProblem(detail.code)}
      />
      <p id="closed">{closed}</p>
      <p id="problem">{problem}</p>
      {done && (
        <p id="proved">
          {done.walletAddress} <proof-badge q-hash={done.qHash} />
        </p>
      )}
    </main>
  )
}

createRoot(document.getElementById('app')!).render(<Membership />)
