import type { LinkState } from '../link/follow-parts.ts';
import { Command } from './command.tsx';
import { Notice } from './notice.tsx';

/** What a reader must know of the connection to the page's server. */
export function LinkNotice({ link, hasDocument }: { link: LinkState; hasDocument: boolean }) {
  switch (link) {
    case 'live':
      return null;
    case 'opening':
      return hasDocument ? null : <Notice title="Reading…" />;
    case 'lost':
      return (
        <Notice title="The connection to the page’s server is lost" urgent>
          <p>
            {hasDocument ? 'What you see is from before. ' : ''}It is tried again. No run depends on it. If it ended,
            this starts it again:
          </p>
          <Command command="ralph ui" what={null} />
        </Notice>
      );
    case 'refused':
      return <NoToken />;
    default:
      return link satisfies never;
  }
}

export const NoToken = () => (
  <Notice title="This tab has no valid token" urgent>
    <p>
      Whoever can read this page can control your runs, so its address carries a token, which is new at every start.
    </p>
    <Command command="ralph ui --open" what="opens the page with the token that is valid now" />
  </Notice>
);
