/** The gate as text: edited, imported from a file, and exported to one. */

import { useId, useRef, useState } from 'preact/hooks'
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { formatCount } from '../../locale.ts'
import { useAction } from '../load.ts'
import { Field } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { saveFile } from '../save-file.ts'
import { toast } from '../toast.tsx'
import type { Definition, Finding } from './definition.ts'
import { nameFileField } from './field-names.ts'
import { writeFinding } from './finding-words.ts'
import { askPreview } from './preview.ts'

/** The server accepts no larger body, and no gate needs one. */
const mostBytes = 262_144

export const writeSource = (definition: Definition): string => JSON.stringify(definition, null, 2)

interface BadFile {
  readonly name: string
  readonly why: string
  readonly findings: readonly Finding[]
}

export function Source({
  definition,
  text,
  fault,
  onText,
  onDefinition,
}: {
  readonly definition: Definition
  /** The typed text, if the source was edited. */
  readonly text: string | undefined
  readonly fault: string | undefined
  onText(text: string): void
  onDefinition(definition: Definition): void
}) {
  const [isOver, setOver] = useState(false)
  const [bad, setBad] = useState<BadFile>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  const read = useAction(async (file: File) => {
    setBad(undefined)
    const refuse = (why: string, findings: readonly Finding[] = []) => setBad({ name: file.name, why, findings })
    if (file.size > mostBytes) return refuse(words.source.tooLarge(formatCount(file.size), formatCount(mostBytes)))
    const written = await file.text()
    const bare = file.name.endsWith('.toml') ? undefined : parseBareDefinition(written)
    const format = file.name.endsWith('.toml') ? 'toml' : 'json'
    const data = await askPreview(bare ? { definition: bare } : { policy: { text: written, format } })
    const [gate, ...more] = data.gates
    if (!gate?.definition) return refuse(words.source.noGate, data.findings)
    if (more.length > 0) return refuse(words.source.tooMany(more.length + 1))
    // The answer of the server holds no reward values.
    if (format === 'toml' && gate.definition.rewards?.some(({ kind }) => kind !== 'access_granted'))
      toast(words.source.typeValues)
    onDefinition(bare ?? restoreValues(gate.definition, written, format))
  })
  const take = (files: FileList | null | undefined): void => {
    if (files?.[0]) void read.run(files[0])
  }

  return (
    <section aria-label={words.source.label}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard */}
      <div
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer?.files)
        }}
      >
        <label for={id}>
          <strong>{words.source.bring}</strong> <span class="quiet">{words.source.bringHint}</span>
        </label>
        <input
          id={id}
          ref={input}
          type="file"
          class="drop-file"
          accept=".json,.toml,application/json"
          onChange={({ currentTarget }) => {
            take(currentTarget.files)
            currentTarget.value = ''
          }}
        />
      </div>
      <Problem error={read.error} />
      {bad && (
        <div class="notice danger" role="alert">
          <p>{words.source.refused(<bdi>{bad.name}</bdi>, bad.why)}</p>
          {bad.findings.length > 0 && (
            <ul>
              {bad.findings.slice(0, 8).map((finding) => (
                <li key={finding.path}>
                  {finding.line !== undefined && words.source.line(finding.line)}
                  {finding.path !== 'definition' && (
                    <strong>
                      <bdi>{nameFileField(finding.path)}</bdi>
                    </strong>
                  )}{' '}
                  {writeFinding(finding)}
                </li>
              ))}
              {bad.findings.length > 8 && <li>{words.source.more(bad.findings.length - 8)}</li>}
            </ul>
          )}
        </div>
      )}
      <Field label={words.source.json} error={fault}>
        {(control) => (
          <textarea
            {...control}
            class="source"
            rows={24}
            spellcheck={false}
            maxLength={mostBytes}
            value={text ?? writeSource(definition)}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        )}
      </Field>
      <p>
        <button type="button" class="button secondary small" onClick={() => save(definition)}>
          {words.source.save}
        </button>
      </p>
    </section>
  )
}

/** A single definition. A policy file holds several, and the server parses it. */
function parseBareDefinition(text: string): Definition | undefined {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value?.gates) || typeof value?.gateId !== 'string' ? undefined : value
  } catch {
    return undefined
  }
}

/** Adds the values of the file. Values of a TOML file must be typed in again. */
function restoreValues(definition: Definition, text: string, format: 'json' | 'toml'): Definition {
  const values: readonly unknown[] =
    format === 'json' ? (JSON.parse(text).gates[0].rewards ?? []).map((one: { value?: unknown }) => one.value) : []
  return {
    ...definition,
    ...(definition.rewards
      ? {
          rewards: definition.rewards.map((reward, at) => {
            const value = values[at]
            if (reward.kind === 'access_granted') return reward
            return { ...reward, value: typeof value === 'string' ? value : '' }
          }),
        }
      : {}),
  }
}

const save = (definition: Definition): void =>
  saveFile(
    new Blob([`${writeSource(definition)}\n`], { type: 'application/json' }),
    `${definition.gateId || 'gate'}.json`,
  )
