/** The start of a new gate: a template, a draft or an empty form. */
import { useState } from 'preact/hooks'
import { gateTemplates } from '../../../../verifiers/gate-templates.ts'
import { Heading } from '../parts.tsx'
import type { Definition } from './definition.ts'
import { blankGate } from './definition.ts'
import { dropDraft, keepDraft, listOtherDrafts } from './drafts.ts'
import { KeptDrafts } from './kept-drafts.tsx'

export function Chooser({ onChoose }: { onChoose(definition: Definition): void }) {
  const [drafts, setDrafts] = useState(() => listOtherDrafts(''))
  return (
    <>
      <Heading title="A new gate" lead="Begin with one of these, and change it as you like." />
      <KeptDrafts
        drafts={drafts}
        onTake={({ key, ...kept }) => {
          // When the storage is full, the draft keeps its old key.
          if (keepDraft('', kept)) dropDraft(key)
          onChoose(kept.definition)
        }}
        onDrop={({ key }) => {
          dropDraft(key)
          setDrafts(listOtherDrafts(''))
        }}
      />
      <ul class="templates">
        {gateTemplates.map(({ name, lead, definition }) => (
          <li key={name}>
            <button type="button" class="choice" onClick={() => onChoose(definition)}>
              <span class="choice-text">
                <span class="choice-name">{name}</span>
                <span class="choice-note">{lead}</span>
              </span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" class="choice" onClick={() => onChoose(blankGate)}>
            <span class="choice-text">
              <span class="choice-name">From nothing</span>
              <span class="choice-note">Every part of it is yours to add; or bring in a file.</span>
            </span>
          </button>
        </li>
      </ul>
    </>
  )
}
