import { type HomeParts, homePages } from './pages/home.ts';
import type { PageRoute } from './portal.ts';
import { signInPage, signOut } from './sign-in.ts';

/** What the pages of the portal are made of. */
export interface PagesParts extends HomeParts {}

/** Every page, in the order of the bar. */
export function portalPages(parts: PagesParts): readonly PageRoute[] {
  return [
    ...homePages(parts),
    {
      method: 'GET',
      path: '/portal/sign-in',
      for: 'anybody',
      handle: ({ query }) => signInPage(query.get('to') ?? ''),
    },
    { method: 'POST', path: '/portal/sign-out', for: 'account', handle: signOut },
  ];
}
