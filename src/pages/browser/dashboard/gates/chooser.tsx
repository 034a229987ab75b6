/** The start of a new gate: a template, a draft or an empty form. */

import { useState } from 'preact/hooks'
import { gateTemplates } from '../../../../verifiers/gate-templates.ts'
import { gates as words } from '../../../words/en/gates.ts'
import { Heading } from '../parts.tsx'
import type { Definition } from './definition.ts'
import { blankGate } from './definition.ts'
import { dropDraft, keepDraft, listOtherDrafts } from './drafts.ts'
import { KeptDrafts } from './kept-drafts.tsx'

/** The definition of a template, with its names in the language of the page. */
function nameTemplate({ id, definition }: (typeof gateTemplates)[number]): Definition {
  const named = words.start.templates[id]
  return {
    ...definition,
    name: named.gate,
    // Access needs no name of its own.
    rewards: definition.rewards.map((one) => ('reward' in named ? { ...one, label: named.reward } : one)),
  }
}

export function Chooser({ onChoose }: { onChoose(definition: Definition): void }) {
  const [drafts, setDrafts] = useState(() => listOtherDrafts(''))
  return (
    <>
      <Heading title={words.start.title} lead={words.start.lead} />
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
        {gateTemplates.map((template) => {
          const { name, lead } = words.start.templates[template.id]
          return (
            <li key={template.id}>
              <button type="button" class="choice" onClick={() => onChoose(nameTemplate(template))}>
                <span class="choice-text">
                  <span class="choice-name">{name}</span>
                  <span class="choice-note">{lead}</span>
                </span>
              </button>
            </li>
          )
        })}
        <li>
          <button type="button" class="choice" onClick={() => onChoose(blankGate)}>
            <span class="choice-text">
              <span class="choice-name">{words.start.empty}</span>
              <span class="choice-note">{words.start.emptyLead}</span>
            </span>
          </button>
        </li>
      </ul>
    </>
  )
}
