/** A new key, this once, with what it is for: commands that work as they stand. */
import { apps, keys as words } from '../../../words/en/account.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { model } from '../model.ts'
import { Command, useFocus } from '../parts.tsx'
import { addsByCommand, writeConfiguration } from './connect.tsx'
import type { MadeKey } from './key.ts'

export function NewKey({ made: { name, key }, onDone }: { readonly made: MadeKey; onDone(): void }) {
  const heading = useFocus<HTMLHeadingElement>()
  const header = `Authorization: Bearer ${key}`
  return (
    <section class="panel" aria-label={words.shown}>
      <h2 ref={heading} tabIndex={-1}>
        {words.shownTitle(<bdi>{name}</bdi>)}
      </h2>
      <p class="notice warning">{words.copyNow}</p>
      <Command text={key} label={words.copyKey} />
      <h3>{words.try}</h3>
      <Command text={`curl -s ${model.baseUrl}/api/v1/auth/me -H '${header}'`} label={shared.copyCommand} />
      {model.hasMcp && (
        <>
          <h3>{words.giveToAssistant}</h3>
          <p class="quiet">{words.byCommand}</p>
          <Command text={`${addsByCommand} --header '${header}'`} label={shared.copyCommand} />
          <p class="quiet">{words.byConfiguration}</p>
          <Command
            text={writeConfiguration({ headers: { Authorization: `Bearer ${key}` } })}
            label={apps.copyConfiguration}
          />
        </>
      )}
      <button type="button" class="button" onClick={onDone}>
        {words.kept}
      </button>
    </section>
  )
}
