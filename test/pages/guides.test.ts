/** The guides as pages: each is served, has no broken link, and names the server that serves it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { createApp } from '../../src/app.ts'
import { everyGuide } from '../../src/guides/links.ts'
import { listHeadings } from '../../src/guides/outline.ts'
import { guidePictures, readPicture } from '../../src/guides/pictures.ts'
import { pageHeaders } from '../../src/http/headers.ts'
import { searchGuides } from '../../src/pages/browser/guide-search.ts'
import { renderGuide } from '../../src/pages/guide-markup.ts'
import { startApp, type TestApp } from '../app.ts'

const paths = [...everyGuide.keys()]
const addressOf = (path: string): string => `/docs/guides/${path}`

let app: TestApp
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
})

const linksIn = (page: string): string[] => [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!)
const idsIn = (page: string): Set<string> => new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))

describe.each(paths)('the guide %s', (path) => {
  test('is a page under the strict policy, with its title and every heading', async () => {
    const { status, body, headers } = await app.get(addressOf(path))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
    for (const [name, value] of Object.entries(pageHeaders)) expect(headers.get(name)).toBe(value)
    expect(body).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/)
    const [title, ...others] = listHeadings(everyGuide.get(path)!.markdown)
    expect(body).toContain(`<h1>${Bun.escapeHTML(title!.text).replaceAll('&#x27;', '&#39;')}</h1>`)
    expect([...idsIn(body)]).toEqual(expect.arrayContaining(others.map(({ anchor }) => anchor)))
  })

  test('names the language of every block', async () => {
    const { body } = await app.get(addressOf(path))
    const labels = [...body.matchAll(/<figcaption><span>([^<]*)/g)].map(([, label]) => label)
    expect(labels).not.toContain('Text')
  })

  test('leads only to existing pages and headings', async () => {
    const { body } = await app.get(addressOf(path))
    const missing: string[] = []
    for (const link of new Set(linksIn(body))) {
      if (link.startsWith('https://')) continue
      // No host and no leading slash, because a proxy may put a path before all of this.
      expect(link).not.toMatch(/^\/|^[a-z]+:/)
      const { pathname, hash } = new URL(link, `http://localhost${addressOf(path)}`)
      const target = await app.get(pathname)
      if (target.status !== 200) missing.push(`${link}: ${target.status}`)
      else if (hash && !pathname.endsWith('/docs') && !idsIn(target.body).has(decodeURIComponent(hash.slice(1))))
        missing.push(`${link}: no such heading`)
    }
    expect(missing).toEqual([])
  })

  test('has every table filled in, and is served as Markdown too', async () => {
    const markdown = await app.get(`${addressOf(path)}.md`)
    expect(markdown.status).toBe(200)
    expect(markdown.headers.get('content-type')).toBe('text/markdown;charset=utf-8')
    expect(markdown.body).toStartWith('# ')
    for (const text of [markdown.body, (await app.get(addressOf(path))).body])
      expect(text).not.toMatch(/(?:<|&lt;)!-- \w+ --/)
  })
})

test('the index lists every guide, with its summary', async () => {
  const { body } = await app.get('/docs/guides')
  const decided = (await app.get('/docs/guides/decisions')).body
  for (const [path, { summary }] of everyGuide) {
    if (summary === undefined) expect(decided).toContain(`href="../../docs/guides/${path}"`)
    else expect(body).toContain(`href="../docs/guides/${path}"`)
    expect(body).toContain(summary ?? '')
  }
})

test('every picture in the sources is listed and served as an image, and an unknown one is refused', async () => {
  expect([...guidePictures.keys()].toSorted()).toEqual(readdirSync('src/guides/pictures').toSorted())
  for (const name of guidePictures.keys()) {
    const answer = await createApp(app.parts).handle(new Request(`http://localhost/docs/guides/pictures/${name}`))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(name.endsWith('.svg') ? 'image/svg+xml' : 'image/png')
    expect(await answer.bytes()).toEqual(await readPicture(name))
  }
  expect((await app.get('/docs/guides/pictures/none.png')).status).toBe(404)
})

test('the index says on a German page that the guides are in English, and says nothing on an English one', async () => {
  const sentence = '<p class="notice info" lang="de">Diese Anleitungen gibt es bisher nur auf Englisch.</p>'
  const german = await app.get('/docs/guides', { 'accept-language': 'de' })
  expect(german.body).toContain(sentence)
  expect(german.headers.get('vary')).toContain('Accept-Language')
  expect((await app.get('/docs/guides', { 'accept-language': 'en' })).body).not.toContain('lang="de"')
})

test('the reference says on a German page that it is in English, and says nothing on an English one', async () => {
  const german = await app.get('/docs', { 'accept-language': 'de' })
  expect(german.body).toContain('lang="de">Diese Referenz gibt es nur auf Englisch.</p>')
  expect(german.headers.get('vary')).toContain('Accept-Language')
  expect((await app.get('/docs', { 'accept-language': 'en' })).body).not.toContain('lang="de"')
})

test('the index shows the flow from a claim to a reward', async () => {
  expect(linksIn((await app.get('/docs/guides')).body)).toContain('../docs/guides/pictures/flow.svg')
})

test('guides, reference and the page at the root lead to each other', async () => {
  expect(linksIn((await app.get('/docs')).body)).toContain('docs/guides')
  expect(linksIn((await app.get('/')).body)).toContain('docs/guides')
  expect(linksIn((await app.get('/docs/guides')).body)).toContain('../docs')
})

test('a server with a brand and addresses of its own names those in every guide, and no other', async () => {
  const other = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_BRAND: 'acme',
    PROOFGATE_BASE_URL: 'https://proofs.example.net',
  })
  const index = (await other.get('/docs/guides/search.json')).body
  expect(index.guides.map(({ path }: { path: string }) => path)).toEqual(paths)
  for (const path of paths) {
    const { body } = await other.get(`${addressOf(path)}.md`)
    expect(body).not.toContain('http://127.0.0.1:8787')
    // By itself it is the default of the setting `brand`.
    expect([...body.matchAll(/\S*svc[_:-]\S*|\S*[_-]svc\b\S*|\S*svcPerson\S*/gi)].map(String)).toEqual([])
  }
})

test('a search finds headings before text, guides before decisions, and nothing where a word is missing', async () => {
  const index = (await app.get('/docs/guides/search.json')).body
  const [first] = searchGuides(index, 'exit codes')
  expect(first).toMatchObject({ address: 'docs/guides/faults#exit-codes', guide: 'Faults', section: 'Exit codes' })
  const areDecisions = searchGuides(index, 'revoke').map(({ address }) => address.includes('/decisions/'))
  expect(areDecisions).toEqual(areDecisions.toSorted())
  expect(areDecisions[0]).toBe(false)
  expect(searchGuides(index, 'revoke xyzzyxyzzy')).toEqual([])
  expect(searchGuides(index, ' ')).toEqual([])
})

test('a misspelled guide is refused with the nearest one', async () => {
  const { status, body } = await app.get('/docs/guides/netwrok')
  expect(status).toBe(404)
  expect(body.error.code).toBe('NOT_FOUND')
  expect(body.error.message).toContain('did you mean /docs/guides/network?')
})

test('an address with a slash at its end leads to the one without', async () => {
  for (const path of ['/docs/guides', '/docs/guides/decisions', ...paths.map(addressOf)]) {
    const { status, headers } = await app.get(`${path}/`)
    expect(status).toBe(308)
    expect(new URL(headers.get('location')!, `https://proxy.example/below${path}/`).pathname).toBe(`/below${path}`)
  }
})

test('a server with its documentation switched off serves no guides', async () => {
  const off = await startApp({ PROOFGATE_DOCS_ENABLED: 'false' })
  for (const path of ['/docs/guides', '/docs/guides/network', '/docs/guides/network.md', '/docs/guides/search.json'])
    expect((await off.get(path)).status).toBe(404)
})

describe('markup', () => {
  const place = { path: 'network', root: '../../', baseUrl: 'https://proofs.example.net' }
  const render = (markdown: string): string => renderGuide(markdown, place).body.text

  test('shows HTML as the text it is', () => {
    expect(render('a <b>x</b> `<i>` <!-- c -->')).toBe(
      '<p>a &lt;b&gt;x&lt;/b&gt; <code>&lt;i&gt;</code> &lt;!-- c --&gt;</p>\n',
    )
    expect(render('<script>alert(1)</script>')).not.toContain('<script')
    expect(render('## <img src=x onerror=y>')).not.toContain('<img')
  })

  test.each([
    ['[a](javascript:alert(1))', '<code>a</code>'],
    ['[a](../verifiers/index.ts)', '<code>a</code>'],
    ['[`index.ts`](../verifiers/index.ts)', '<code>index.ts</code>'],
    ['[a picture](pictures/a.png)', 'a picture'],
    ['[the flow](pictures/flow.svg)', '<a href="../../docs/guides/pictures/flow.svg">the flow</a>'],
    ['![a picture](https://example.com/a.png)', 'a picture'],
    [
      '![The flow](pictures/flow.svg)',
      '<a class="picture" href="../../docs/guides/pictures/flow.svg"><img src="../../docs/guides/pictures/flow.svg" alt="The flow" loading="lazy"></a>',
    ],
    ['[a](faults.md#exit-codes)', '<a href="../../docs/guides/faults#exit-codes">a</a>'],
    ['[a](#host)', '<a href="#host">a</a>'],
    ['[a](network.md#host)', '<a href="#host">a</a>'],
    ['[a](https://proofs.example.net/docs)', '<a href="../../docs">a</a>'],
    ['[a](https://proofs.example.net)', '<a href="../../">a</a>'],
    ['[a](https://proofs.example.net.evil.example/x)', '<a href="https://proofs.example.net.evil.example/x">a</a>'],
  ])('writes the link %s', (markdown, expected) => {
    expect(render(markdown)).toBe(`<p>${expected}</p>\n`)
  })

  test('labels each block by its first line, and offers no copy button for an answer', () => {
    const blocks = render(
      '```sh\nls\n```\n\n```text answer\na < b\n```\n\n- item\n\n  ```js run.mjs\n  1\n  ```\n\n```\nx\n```\n\n```toml\na = 1\n```\n',
    )
    expect([...blocks.matchAll(/<figcaption><span>([^<]*)/g)].map(([, label]) => label)).toEqual([
      'Commands',
      'Answer',
      'run.mjs',
      'Text',
      'proofgate.toml',
    ])
    expect(blocks).toContain('<code>a &lt; b\n</code>')
    expect(blocks.match(/data-copy="Answer"/)).toBeNull()
    expect(blocks.match(/data-copy=/g)).toHaveLength(4)
  })
})
