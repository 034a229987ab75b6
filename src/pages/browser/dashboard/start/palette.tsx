/** The command palette: every page and the common commands, found by typing (a combobox with a list, ARIA APG). */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Place } from '../../../dashboard-places.ts'
import { dashboard as common, viewTitles } from '../../../words/en/dashboard.ts'
import { palette as words } from '../../../words/en/start.ts'
import { Dialog } from '../dialog.tsx'
import { root } from '../model.ts'
import { go } from '../route.ts'

export interface Command {
  readonly title: string
  run(): void
}

const openPage = (page: string) => () => location.assign(new URL(page, root).href)

/** `places` are those of the menu. */
const listCommands = (places: readonly Place[], showShortcuts: () => void): Command[] => [
  ...places.map((place) => ({ title: viewTitles[place], run: () => go(place) })),
  { title: words.makeProof, run: openPage('verify') },
  { title: words.makeGate, run: () => go('/gates/new') },
  { title: words.guides, run: openPage('docs/guides') },
  { title: words.reference, run: openPage('docs') },
  { title: words.shortcuts, run: showShortcuts },
]

/** Each word that was typed begins a word of the title. */
function matches(title: string, typed: string): boolean {
  const parts = title.toLowerCase().split(/[\s-]+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)))
}

export function Palette({
  places,
  showShortcuts,
  onClose,
}: {
  readonly places: readonly Place[]
  showShortcuts(): void
  onClose(): void
}) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const typed = text.trim()
  const search = { title: words.searchProofs(typed), run: () => go(`/?q=${encodeURIComponent(typed)}`) }
  const found = listCommands(places, showShortcuts).filter(({ title }) => matches(title, typed))
  const shown = typed === '' ? found : [...found, search]
  const at = Math.min(chosen, shown.length - 1)
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at])

  const run = (command: Command): void => {
    onClose()
    command.run()
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % shown.length,
      ArrowUp: (at - 1 + shown.length) % shown.length,
    }
    const next = steps[event.key]
    if (next !== undefined) setChosen(next)
    else if (event.key === 'Enter' && !event.isComposing) run(shown[at]!)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="field">
        <input
          type="text"
          role="combobox"
          aria-label={words.hint}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={`${id}-${at}`}
          aria-autocomplete="list"
          placeholder={words.hint}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          autofocus
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={handleKeyDown}
        />
      </div>
      <p class="visually-hidden" role="status">
        {words.count(shown.length)}
      </p>
      <div class="palette" id={`${id}-list`} ref={list} role="listbox" aria-label={words.list}>
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the field, as for every combobox
          <div
            key={command.title}
            class="palette-row"
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            {command.title}
          </div>
        ))}
      </div>
      <p class="quiet palette-hint">{common.paletteHint}</p>
    </Dialog>
  )
}
