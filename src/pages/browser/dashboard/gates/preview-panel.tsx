/** The panel beside the form: the gate in plain words, with its errors and warnings. */
import { useState } from 'preact/hooks'
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { Problem } from '../problem.tsx'
import type { Definition, Finding } from './definition.ts'
import { Difference } from './difference.tsx'
import { FindingList } from './finding-list.tsx'
import type { Preview } from './preview.ts'

export function PreviewPanel({
  preview,
  definition,
  isNew,
  isAsked,
  onPublish,
}: {
  readonly preview: Preview
  /** The one that is written. */
  readonly definition: Definition
  readonly isNew: boolean
  /** The person asked to publish. Before that, what is left to do is no mistake. */
  readonly isAsked: boolean
  /** Undefined when there is nothing to publish. */
  readonly onPublish: (() => void) | undefined
}) {
  const { data, gate, isCurrent, error } = preview
  const errors = data?.findings.filter(({ level }) => level === 'error') ?? []
  const warnings = data?.findings.filter(({ level }) => level === 'warning') ?? []
  const [isUnfolded, setUnfolded] = useState(false)
  const shape = isUnfolded ? 'preview unfolded' : 'preview'
  const isOld = data !== undefined && data.gates.length === 0
  return (
    // It scrolls on its own, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus (WCAG 2.1.1).
    <aside class={shape} aria-labelledby="preview-title" aria-busy={!isCurrent} tabIndex={0}>
      <h2 class="bench-title" id="preview-title">
        {words.preview.title}
      </h2>
      {/* Only small screens have the line and its button (gates.css). */}
      <p class="preview-line">
        {errors.length > 0
          ? (isAsked ? words.preview.todo : words.preview.open)(errors.length)
          : (gate?.lines[0]?.text ?? words.preview.soon)}
      </p>
      <button
        type="button"
        class="link preview-fold"
        aria-expanded={isUnfolded}
        aria-controls="preview-more"
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {isUnfolded ? words.preview.fold : words.preview.unfold}
      </button>
      <div class="preview-more" id="preview-more">
        <Problem error={error} retry={preview.again} isRepeated={false} />
        {gate && (
          <div class={isOld ? 'plain-words old' : 'plain-words'}>
            {gate.lines.map(({ path, text }) => (
              <p key={path + text}>{text}</p>
            ))}
          </div>
        )}
        {!gate && !error && <p class="quiet">{words.preview.soon}</p>}
        {isOld && gate && <p class="quiet">{words.preview.old}</p>}
        {data !== undefined && data.untold > 0 && <p class="quiet">{words.preview.more(data.untold)}</p>}
        <div aria-live="polite">
          <Findings
            title={isAsked ? words.preview.errors : words.preview.left}
            of={errors}
            definition={definition}
            kind={isAsked ? '' : 'left'}
          />
          <Findings title={words.preview.warnings} of={warnings} definition={definition} kind="doubts" />
          {data?.publishable && errors.length === 0 && error === undefined && gate?.outcome !== 'unchanged' && (
            <p class="ready">{words.preview.ready}</p>
          )}
        </div>
        {!isNew && gate && gate.outcome !== 'impossible' && error === undefined && (
          <>
            <h3>{words.preview.changes}</h3>
            <Difference lines={gate.difference} definitions={[definition]} label={words.preview.changes} />
          </>
        )}
        {onPublish && data?.publishable && isCurrent && (
          <p class="preview-publish">
            <button type="button" class="button" onClick={onPublish}>
              {words.bench.publish}
            </button>
          </p>
        )}
      </div>
    </aside>
  )
}

function Findings({
  title,
  of: findings,
  definition,
  kind = '',
}: {
  readonly title: string
  readonly of: readonly Finding[]
  readonly definition: Definition
  readonly kind?: 'doubts' | 'left' | ''
}) {
  if (findings.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <FindingList findings={findings} definition={definition} kind={kind} />
    </>
  )
}
