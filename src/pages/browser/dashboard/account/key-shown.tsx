/** A new key, this once, with what it is for: commands that work as they stand. */
import { model } from '../model.ts'
import { Command, useFocus } from '../parts.tsx'
import { addsByCommand, writeConfiguration } from './connect.tsx'
import type { MadeKey } from './key.ts'

export function NewKey({ made: { name, key }, onDone }: { readonly made: MadeKey; onDone(): void }) {
  const heading = useFocus<HTMLHeadingElement>()
  const header = `Authorization: Bearer ${key}`
  return (
    <section class="panel" aria-label="The new key">
      <h2 ref={heading} tabIndex={-1}>
        The key of <bdi>{name}</bdi>
      </h2>
      <p class="notice warning">
        Copy it now. It is shown this once: nobody can look it up later, here or on the server.
      </p>
      <Command text={key} label="Copy the key" />
      <h3>Try it</h3>
      <Command text={`curl -s ${model.baseUrl}/api/v1/auth/me -H '${header}'`} label="Copy the command" />
      {model.hasMcp && (
        <>
          <h3>Give it to an assistant</h3>
          <p class="quiet">Claude Code, by a command:</p>
          <Command text={`${addsByCommand} --header '${header}'`} label="Copy the command" />
          <p class="quiet">Any other, in its MCP configuration:</p>
          <Command
            text={writeConfiguration({ headers: { Authorization: `Bearer ${key}` } })}
            label="Copy the configuration"
          />
        </>
      )}
      <button type="button" class="button" onClick={onDone}>
        I have kept it
      </button>
    </section>
  )
}
