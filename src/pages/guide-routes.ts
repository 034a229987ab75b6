/** The routes of the guides. They are for people, so openapi.json does not list them. */
import { defer } from '../defer.ts'
import { AppError } from '../errors.ts'
import type { GuideServer } from '../guides/fill.ts'
import { guidePictures, readPicture } from '../guides/pictures.ts'
import { type Route, route } from '../http/route.ts'
import type { ServedContext } from '../http/served.ts'
import type { Parts } from '../parts.ts'
import { byLanguage } from '../web/languages.ts'
import { decisionsPath, guidesPath } from './docs-navigation.ts'
import { endsWithSlash, leaveOutSlash, servePage } from './serve-page.ts'
import { readLanguage } from './words/read-language.ts'

/** Half a megabyte of text, which loads with the first page of a guide. */
const loadGuides = async () => ({ ...(await import('../guides/links.ts')), ...(await import('./guides.ts')) })

export function guideRoutes(parts: Parts): readonly Route[] {
  if (!parts.config.docs.enabled) return []
  const readServer = (): GuideServer => ({
    addresses: parts.addresses(),
    brand: parts.config.brand,
    catalog: parts.catalog,
  })
  const listPages = defer(async () => {
    const { everyGuide, renderDecisionIndex, renderGuideIndex, renderGuidePage, writeMarkdown } = await loadGuides()
    const indexes = byLanguage((language) => servePage(() => renderGuideIndex(language)))
    const serveIndex = (context: ServedContext) => {
      context.set.headers.vary = 'Accept-Language, Cookie'
      return indexes[readLanguage(context.request.headers)](context)
    }
    return new Map([
      [guidesPath, serveIndex],
      [decisionsPath, servePage(renderDecisionIndex)],
      ...[...everyGuide.values()].flatMap((guide) => [
        [`${guidesPath}/${guide.path}`, servePage(() => renderGuidePage(guide, readServer()))] as const,
        [
          `${guidesPath}/${guide.path}.md`,
          servePage(() => writeMarkdown(guide, readServer()), 'text/markdown;charset=utf-8'),
        ] as const,
      ]),
    ])
  })
  const serveGuide = async (path: string, context: ServedContext) => {
    const answer = (await listPages()).get(path)
    if (!answer) throw await makeUnknownGuideError(path.slice(guidesPath.length + 1))
    return endsWithSlash(context) ? leaveOutSlash(context) : answer(context)
  }
  const pictures = new Map(
    [...guidePictures.keys()].map((name) => [
      name,
      servePage(() => readPicture(name), name.endsWith('.svg') ? 'image/svg+xml' : 'image/png'),
    ]),
  )
  const servePicture = (context: ServedContext, name: string) => {
    const answer = pictures.get(name)
    if (!answer) throw new AppError('NOT_FOUND', `the guides have no picture "${name}"`)
    return answer(context)
  }
  const search = servePage(
    async () => (await loadGuides()).writeSearchIndex(readServer()),
    'application/json;charset=utf-8',
  )
  const shared = {
    method: 'GET',
    callers: ['anyone'],
    rate: 'reads',
    surface: 'untimed',
    refusalFormat: 'page',
    operation: 'unlisted',
  } as const

  return [
    route({ ...shared, path: guidesPath }, (context) => serveGuide(guidesPath, context)),
    route({ ...shared, path: `${guidesPath}/search.json` }, search),
    route({ ...shared, path: `${guidesPath}/:name` }, (context) =>
      serveGuide(`${guidesPath}/${context.params.name}`, context),
    ),
    route({ ...shared, path: `${guidesPath}/pictures/:name` }, (context) =>
      servePicture(context, context.params.name!),
    ),
    route({ ...shared, path: `${decisionsPath}/:name` }, (context) =>
      serveGuide(`${decisionsPath}/${context.params.name}`, context),
    ),
  ]
}

/** Errors name the nearest guide, because an address may come from memory. */
async function makeUnknownGuideError(path: string): Promise<AppError> {
  const { suggestGuide } = await loadGuides()
  const meant = suggestGuide(path)
  return new AppError(
    'NOT_FOUND',
    `there is no guide "${path}"${meant ? `; did you mean ${guidesPath}/${meant}?` : `: ${guidesPath} lists all guides`}`,
  )
}
