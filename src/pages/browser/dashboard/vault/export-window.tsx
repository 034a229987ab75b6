/** The export dialog: selection, format, progress, and a way to stop. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { model } from '../model.ts'
import { Command } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { saveFile } from '../save-file.ts'
import { type Form, fileName, type Gathered, gather, type Source } from './export.ts'

const count = new Intl.NumberFormat('en')

export function ExportWindow({
  source,
  what,
  onClose,
}: {
  readonly source: Source
  /** "3 selected proofs" */
  readonly what: string
  onClose(): void
}) {
  const [form, setForm] = useState<Form>('portable')
  const [progress, setProgress] = useState<{ readonly looked: number; readonly count: number }>()
  const [waiting, setWaiting] = useState<number>()
  const [done, setDone] = useState<Gathered & { readonly name: string }>()
  const stopping = useRef<AbortController>(undefined)
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
      stopping.current?.abort()
    },
    [],
  )
  const gathering = useAction(async () => {
    const controller = new AbortController()
    stopping.current = controller
    setDone(undefined)
    setProgress({ looked: 0, count: 0 })
    try {
      const found = await gather(source, form, {
        signal: controller.signal,
        waits: setWaiting,
        say: (looked, lines) => {
          setWaiting(undefined)
          setProgress({ looked, count: lines })
        },
      })
      // Stopping saves the lines so far; closing the window saves nothing, because nobody would see that the file is
      // incomplete.
      if (isGone.current) return
      const name = fileName(form)
      if (found.count > 0) saveFile(found.file, name)
      setDone({ ...found, name })
    } finally {
      setProgress(undefined)
    }
  })
  return (
    <Dialog title={`Export ${what}`} onClose={onClose}>
      <fieldset class="export-forms">
        <legend class="visually-hidden">As what</legend>
        <Choice is="portable" chosen={form} onChoose={setForm} title="Portable proofs">
          One in each line: wallet, what was signed, and the signature. Anybody can check them without this server. Only
          of proofs that keep their content.
        </Choice>
        <Choice is="records" chosen={form} onChoose={setForm} title="Records">
          One in each line: what this server says of each proof, as its API does. Of all of them.
        </Choice>
      </fieldset>
      <div role="status">
        {progress && (
          <p>
            {count.format(progress.looked)} looked at, {count.format(progress.count)} in the file …
            {waiting !== undefined && ` The server asks to wait ${waiting} seconds; it then goes on by itself.`}
          </p>
        )}
        {done && <Outcome {...done} form={form} />}
      </div>
      <Problem error={gathering.error} />
      <div class="actions">
        {gathering.isBusy ? (
          <button type="button" class="button secondary" onClick={() => stopping.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" class="button" onClick={() => gathering.run()}>
            {done ? 'Export again' : 'Export'}
          </button>
        )}
        <button type="button" class="button secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

function Outcome({
  count: lines,
  without,
  isWhole,
  name,
  form,
}: Gathered & { readonly name: string; readonly form: Form }) {
  return (
    <>
      <p>
        {lines === 0 ? 'There is nothing to put into a file.' : `${count.format(lines)} in ${name}.`}
        {!isWhole && ' It was stopped: there are more.'}
        {without > 0 &&
          ` Of ${without === 1 ? 'one' : count.format(without)} no portable form is kept here: it was handed out when the proof was made.`}
      </p>
      {lines > 0 && form === 'portable' && (
        <Command text={`${model.program} verify ${name}`} label="Copy the command" />
      )}
    </>
  )
}

function Choice({
  is,
  chosen,
  title,
  onChoose,
  children,
}: {
  readonly is: Form
  readonly chosen: Form
  readonly title: string
  onChoose(form: Form): void
  readonly children: string
}) {
  return (
    <label class="export-form">
      <input type="radio" name="form" checked={is === chosen} onChange={() => onChoose(is)} />
      <span>
        <strong>{title}</strong>
        <br />
        <span class="quiet">{children}</span>
      </span>
    </label>
  )
}
