import type { ServicesView } from '../../../client/connect/services.ts';
import { Mark } from './mark.tsx';
import { ThemeButton } from './theme.tsx';
import type { Tone } from './tone.ts';

/** The top of every page: where this is, and whether what runs need is up. */
export function Header({ services, trail }: { services: ServicesView | null; trail: readonly string[] }) {
  return (
    <header class="top">
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}
      >
        To the content
      </a>
      <nav aria-label="Where this is">
        <a href="#/" class="brand">
          <img src="/icon.svg" alt="" width="22" height="22" /> ralph
        </a>
        {trail.map((each) => (
          <span class="crumb" key={each}>
            {each}
          </span>
        ))}
      </nav>
      <div class="services">
        {services === null ? null : <Services services={services} />}
        <ThemeButton />
      </div>
    </header>
  );
}

function Services({ services }: { services: ServicesView }) {
  const { temporal, worker, ralphHome, diskFull } = services;
  const temporalTone: Tone = temporal.reachable ? 'good' : 'bad';
  const workerTone: Tone = worker.kind === 'ready' ? 'good' : worker.kind === 'not-ready' ? 'go' : 'bad';
  return (
    <>
      {diskFull === null ? null : <span class="service tone-bad">{diskFull}</span>}
      <span class="service" title={temporal.problem ?? temporal.address ?? ''}>
        <Mark tone={temporalTone} /> Temporal <span class="sr-only">{temporal.reachable ? 'up' : 'down'}</span>
      </span>
      <span class="service" title={worker.kind}>
        <Mark tone={workerTone} /> Worker <span class="sr-only">{worker.kind}</span>
      </span>
      <span class="service wide" title="RALPH_HOME">
        <bdi dir="ltr">{ralphHome}</bdi>
      </span>
    </>
  );
}
