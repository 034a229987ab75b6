/** Runs on /docs: shows the description with Swagger UI, which came before this script. */
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => void

const place = document.querySelector<HTMLElement>('#reference')!
const { classList } = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = (): void => {
  classList.toggle('dark-mode', dark.matches)
}
dark.addEventListener('change', follow)
follow()

try {
  const response = await fetch(place.dataset.document!)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  const spec = await response.json()
  // The page may be open under another address than the configured one, and may call none but its own.
  const here = new URL('.', location.href).href.replace(/\/$/, '')
  place.textContent = ''
  SwaggerUIBundle({
    domNode: place,
    spec: { ...spec, servers: [{ url: here }] },
    validatorUrl: null,
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    syntaxHighlight: { activated: true },
  })
} catch (error) {
  const note = document.createElement('p')
  note.className = 'note'
  note.textContent = `The description could not be loaded: ${error instanceof Error ? error.message : error}. Reload to try again.`
  place.replaceChildren(note)
}

export {}
