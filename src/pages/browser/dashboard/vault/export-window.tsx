/** The export dialog: selection, format, progress, and a way to stop. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { proofExport as words } from '../../../words/en/vault.ts'
import { formatCount } from '../../locale.ts'
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { model } from '../model.ts'
import { Command } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { saveFile } from '../save-file.ts'
import { type Form, fileName, type Gathered, gather, type Source } from './export.ts'

export function ExportWindow({
  source,
  title,
  onClose,
}: {
  readonly source: Source
  readonly title: string
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
    <Dialog title={title} onClose={onClose}>
      <fieldset class="export-forms">
        <legend class="visually-hidden">{words.form}</legend>
        <Choice is="portable" chosen={form} onChoose={setForm} title={words.portable}>
          {words.portableHint}
        </Choice>
        <Choice is="records" chosen={form} onChoose={setForm} title={words.records}>
          {words.recordsHint}
        </Choice>
      </fieldset>
      <div role="status">
        {progress && (
          <p>
            {words.progress(formatCount(progress.looked), formatCount(progress.count))}
            {waiting !== undefined && words.wait(waiting)}
          </p>
        )}
        {done && <Outcome {...done} form={form} />}
      </div>
      <Problem error={gathering.error} />
      <div class="actions">
        {gathering.isBusy ? (
          <button type="button" class="button secondary" onClick={() => stopping.current?.abort()}>
            {words.stop}
          </button>
        ) : (
          <button type="button" class="button" onClick={() => gathering.run()}>
            {done ? words.again : words.start}
          </button>
        )}
        <button type="button" class="button secondary" onClick={onClose}>
          {shared.close}
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
        {lines === 0 ? words.nothing : words.saved(formatCount(lines), name)}
        {!isWhole && words.stopped}
        {without > 0 && words.without(formatCount(without), without === 1)}
      </p>
      {lines > 0 && form === 'portable' && (
        <Command text={`${model.program} verify ${name}`} label={shared.copyCommand} />
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
