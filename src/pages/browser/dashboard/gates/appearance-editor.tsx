/** How the checkout of a published gate looks. It is changed at once, beside the versions. */
import { useState } from 'preact/hooks'
import { tuneColor } from '../../../../gates/appearance/color.ts'
import { gateAppearance as words } from '../../../words/en/gate-appearance.ts'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { Field, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { toast } from '../toast.tsx'
import { shrinkPicture } from './shrink-picture.ts'

interface Appearance {
  readonly seller: string | null
  readonly color: string | null
  readonly picture: { readonly mediaType: string; readonly data: string } | null
}

export interface AppearanceAnswer {
  readonly data: Appearance
}

export const writeAppearancePath = (gateId: string): string =>
  `/api/v1/profile/gates/${encodeURIComponent(gateId)}/appearance`

/** The picker of a browser needs a color: this is the one of the pages. */
const usualColor = '#0f6b5c'

export function AppearanceEditor({ gateId }: { readonly gateId: string }) {
  const path = writeAppearancePath(gateId)
  const loaded = useLoad<AppearanceAnswer>(path)
  const stored = loaded.data?.data
  return (
    <>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {stored ? (
        <AppearanceForm
          stored={stored}
          onSave={async (changes) => {
            const answer = await callApi<AppearanceAnswer>('POST', path, { body: changes })
            loaded.set(() => answer)
          }}
        />
      ) : (
        loaded.isLoading && <Waiting />
      )}
    </>
  )
}

function AppearanceForm({ stored, onSave }: { readonly stored: Appearance; onSave(changes: object): Promise<void> }) {
  const [seller, setSeller] = useState(stored.seller ?? '')
  const [color, setColor] = useState(stored.color)
  const [fault, setFault] = useState<string>()
  const { picture } = stored
  const save = useAction(async (changes: object) => {
    await onSave(changes)
    toast(words.saved)
  })
  const adjusted = color !== null && tuneColor(color, 'light').accent !== color
  return (
    <>
      <p class="quiet">{words.lead}</p>
      <Field label={words.seller} hint={words.sellerHint} optional>
        {(control) => (
          <input
            {...control}
            maxLength={80}
            dir="auto"
            autocomplete="organization"
            value={seller}
            onInput={({ currentTarget }) => setSeller(currentTarget.value)}
          />
        )}
      </Field>
      <Field label={words.color} hint={adjusted ? words.adjusted : words.colorHint} optional>
        {(control) => (
          <input
            {...control}
            type="color"
            class="color"
            value={color ?? usualColor}
            onInput={({ currentTarget }) => setColor(currentTarget.value)}
          />
        )}
      </Field>
      {color !== null && (
        <p>
          <button type="button" class="link" onClick={() => setColor(null)}>
            {words.dropColor}
          </button>
        </p>
      )}
      <Problem error={save.error} />
      <p class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={save.isBusy}
          onClick={() => !save.isBusy && void save.run({ seller: seller.trim() || null, color })}
        >
          {words.save}
        </button>
      </p>
      <h2 class="bench-title">{words.picture}</h2>
      {picture && (
        <p class="picture-shown">
          <img src={`data:${picture.mediaType};base64,${picture.data}`} alt={words.pictureShown} />
        </p>
      )}
      <Field label={words.choosePicture} hint={words.pictureHint} error={fault}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={async ({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (!file) return
              const data = await shrinkPicture(file)
              setFault(data === undefined ? words.noPicture : undefined)
              if (data !== undefined) await save.run({ picture: data })
              currentTarget.value = ''
            }}
          />
        )}
      </Field>
      {picture && (
        <p>
          <button type="button" class="link" onClick={() => void save.run({ picture: null })}>
            {words.dropPicture}
          </button>
        </p>
      )}
    </>
  )
}
