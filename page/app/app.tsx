import { ListPage } from './list/list-page.tsx';
import { hasToken } from './link/api.ts';
import { useRoute } from './link/route.ts';
import { Header } from './parts/header.tsx';
import { NoToken } from './parts/link-notice.tsx';
import { RunPage } from './run/run-page.tsx';

export function App() {
  const route = useRoute();
  if (!hasToken) {
    return (
      <>
        <Header services={null} trail={[]} />
        <main id="main">
          <h1 class="sr-only">ralph</h1>
          <NoToken />
        </main>
      </>
    );
  }
  return route.kind === 'list' ? (
    <ListPage />
  ) : (
    <RunPage key={route.runId} runId={route.runId} selected={route.selected} />
  );
}
