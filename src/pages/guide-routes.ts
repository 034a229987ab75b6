/** The routes of the guides. They are for people, so openapi.json does not list them. */
import { Elysia } from 'elysia'
import { suggestNearest } from '../config/suggest.ts'
import { AppError } from '../errors.ts'
import type { GuideServer } from '../guides/fill.ts'
import { everyGuide } from '../guides/links.ts'
import { limitRate } from '../http/limits.ts'
import type { ServedContext } from '../http/served.ts'
import type { Parts } from '../parts.ts'
import { guideIndexPage, guidePage, guidesPath, writeMarkdown, writeSearchIndex } from './guides.ts'
import { endsWithSlash, leaveOutSlash, servePage } from './serve-page.ts'

const hidden = { hide: true } as const

export function guideRoutes(parts: Parts) {
  const routes = new Elysia({ name: 'guides' })
  if (!parts.config.docs.enabled) return routes
  const beforeHandle = limitRate(parts, 'reads')
  const readServer = (): GuideServer => ({
    addresses: parts.addresses(),
    brand: parts.config.brand,
    catalog: parts.catalog,
  })
  const served = new Map(
    [...everyGuide.values()].flatMap((guide) => [
      [guide.path, servePage(() => guidePage(guide, readServer()))] as const,
      [`${guide.path}.md`, servePage(() => writeMarkdown(guide, readServer()), 'text/markdown;charset=utf-8')] as const,
    ]),
  )
  const serveGuide = (path: string, context: ServedContext) => {
    const answer = served.get(path)
    if (!answer) throw makeUnknownGuideError(path)
    return endsWithSlash(context) ? leaveOutSlash(context) : answer(context)
  }
  const index = servePage(guideIndexPage)
  const search = servePage(() => writeSearchIndex(readServer()), 'application/json;charset=utf-8')
  return routes
    .get(guidesPath, (context) => (endsWithSlash(context) ? leaveOutSlash(context) : index(context)), {
      beforeHandle,
      detail: hidden,
    })
    .get(`${guidesPath}/search.json`, search, { beforeHandle, detail: hidden })
    .get(`${guidesPath}/:name`, (context) => serveGuide(context.params.name, context), { beforeHandle, detail: hidden })
    .get(`${guidesPath}/decisions/:name`, (context) => serveGuide(`decisions/${context.params.name}`, context), {
      beforeHandle,
      detail: hidden,
    })
}

/** Errors name the nearest guide, because an address may come from memory. */
function makeUnknownGuideError(path: string): AppError {
  const meant = suggestNearest(path, [...everyGuide.keys()])
  return new AppError(
    'NOT_FOUND',
    `there is no guide "${path}"${meant ? `; did you mean ${guidesPath}/${meant}?` : `: ${guidesPath} lists all guides`}`,
  )
}
