/** Fills a guide for this server: with its own addresses, its brand and the tables derived from code. */
import type { PublicAddresses } from '../config/public-addresses.ts'
import type { Catalog } from '../verifiers/index.ts'
import { writeErrorTable, writeEventTable, writeMetricTable, writeSettingTables, writeVerifierTable } from './tables.ts'

/** The values that differ between servers. */
export interface GuideServer {
  readonly addresses: PublicAddresses
  readonly brand: string
  readonly catalog: Pick<Catalog, 'known' | 'enabled' | 'absence' | 'accessLevel'>
}

/** Markdown in, Markdown out. The tables come last, because they hold this server's words already. */
export const fillGuide = (markdown: string, { addresses, brand, catalog }: GuideServer): string =>
  insertTables(replaceBrand(replaceAddresses(markdown, addresses), brand), {
    verifiers: () => writeVerifierTable(catalog),
    settings: writeSettingTables,
    errors: writeErrorTable,
    events: writeEventTable,
    metrics: writeMetricTable,
  })

/** The address in the guides' source: that of a server without a configuration. */
export const writtenAddress = 'http://127.0.0.1:8787'

const mcpPath = String.raw`(?:/\.well-known/oauth-protected-resource)?/mcp\b`
const signInPath = String.raw`/(?:oauth|login|api/v1/auth)\b|/\.well-known/(?:oauth-authorization-server|openid-configuration)\b`

/** MCP and sign-in may have hosts of their own, so the path behind the written address decides. */
function replaceAddresses(markdown: string, { baseUrl, authUrl, mcpUrl }: PublicAddresses): string {
  const written = RegExp.escape(writtenAddress)
  return markdown
    .replace(new RegExp(`${written}(?=${mcpPath})`, 'g'), () => mcpUrl)
    .replace(new RegExp(`${written}(?=${signInPath})`, 'g'), () => authUrl)
    .replace(new RegExp(`${written}(?![0-9])`, 'g'), () => baseUrl)
}

/** Only in names that derive from the brand: `svc` alone is the default of the setting `brand`. */
function replaceBrand(markdown: string, brand: string): string {
  const capitalized = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`
  return markdown
    .replace(/(?<![A-Za-z0-9.])svc(?=[_:-]|\.[a-z]|PersonhoodId\b)|(?<=[_-])svc\b/g, () => brand)
    .replace(/(?<=\bX-)Svc(?=-)/g, () => capitalized)
}

/** A line `<!-- settings -->` stands for a table. */
const insertTables = (markdown: string, tables: Readonly<Record<string, () => string>>): string =>
  markdown.replace(/^<!-- ([a-z]+) -->$/gm, (line, name: string) => tables[name]?.() ?? line)
