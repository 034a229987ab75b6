/** The first steps as a list above the proofs. It ends by itself, and can be put away. */
import { firstSteps as words } from '../../../words/en/start.ts'
import { root } from '../model.ts'
import { Link } from '../parts.tsx'
import { type FirstSteps, type Step, useFirstSteps } from './first-steps.ts'

const links: Readonly<Record<Step, { readonly place: string } | { readonly page: string }>> = {
  proof: { page: 'verify' },
  gate: { place: '/gates/new' },
  share: { place: '/gates' },
  connect: { place: '/keys' },
  backup: { page: 'docs/guides/stored#backup' },
}

export function Checklist({ hasProof }: { readonly hasProof: boolean | undefined }) {
  const found = useFirstSteps(hasProof)
  if (!found) return null
  const { steps, mark } = found
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section class="checklist" aria-labelledby="checklist">
      <header>
        <h2 id="checklist">{words.title}</h2>
        <span class="quiet">{words.progress(done, steps.length)}</span>
        <button type="button" class="link" onClick={() => mark('ended')}>
          {words.hide}
        </button>
      </header>
      <ol>
        {steps.map(({ step, isDone }) => (
          <Line key={step} step={step} isDone={isDone} mark={mark} />
        ))}
      </ol>
    </section>
  )
}

interface LineOf {
  readonly step: Step
  readonly isDone: boolean
  readonly mark: FirstSteps['mark']
}

function Line({ step, isDone, mark }: LineOf) {
  const { title, why } = words.steps[step]
  const link = links[step]
  return (
    <li class={isDone ? 'done' : ''}>
      <span class="checklist-mark" aria-hidden="true">
        {isDone ? '✓' : ''}
      </span>
      <span>
        {isDone ? (
          <>
            {title} <span class="visually-hidden">{words.done}</span>
          </>
        ) : (
          <>
            {'place' in link ? (
              <Link to={link.place}>{title}</Link>
            ) : (
              <a href={new URL(link.page, root).href}>{title}</a>
            )}
            <span class="quiet"> {why}</span>
          </>
        )}
      </span>
      {step === 'backup' && !isDone && (
        <button type="button" class="link" onClick={() => mark('backup')}>
          {words.backupDone}
        </button>
      )}
    </li>
  )
}
