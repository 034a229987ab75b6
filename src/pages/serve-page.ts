/** Pages and pictures that are the same for everybody: made at the first request, kept, revalidated by browsers. */
import { pageHeaders } from '../http/headers.ts'
import { makeOnce, makeServed, revalidated, type ServedContext, serve } from '../http/served.ts'

type Content = string | Uint8Array<ArrayBuffer>

const page = 'text/html;charset=utf-8'

export function servePage(write: () => Promise<Content> | Content, contentType = page) {
  const made = makeOnce(async () => makeServed(await write(), { contentType, cacheControl: revalidated }))
  return async (context: ServedContext): Promise<Response | undefined> => {
    Object.assign(context.set.headers, pageHeaders)
    return serve(await made(), context)
  }
}

export const endsWithSlash = ({ request }: ServedContext): boolean => new URL(request.url).pathname.endsWith('/')

/** Links in a page are relative, so it has one address. This one is relative too: a proxy may put a path before it. */
export function leaveOutSlash({ request, set }: ServedContext): void {
  set.status = 308
  set.headers.location = `../${new URL(request.url).pathname.split('/').at(-2)}`
}
