import { useEffect, useState } from 'preact/hooks';

const KEY = 'ralph-theme';
const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const kept = (): Theme => THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'auto';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function show(theme: Theme): void {
  const shown = theme === 'auto' ? (systemIsDark.matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset['theme'] = shown;
  window.dispatchEvent(new Event('themechange'));
}

// Before the first paint.
show(kept());

/** Light, dark, or as the system says. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(kept);
  useEffect(() => {
    const onSystem = (): void => show(theme);
    localStorage.setItem(KEY, theme);
    show(theme);
    systemIsDark.addEventListener('change', onSystem);
    return () => systemIsDark.removeEventListener('change', onSystem);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setTheme(next)}
      aria-label={`Theme: ${theme}. Change to ${next}`}
    >
      {theme === 'auto' ? '◐' : theme === 'light' ? '○' : '●'} <span class="wide">{theme}</span>
    </button>
  );
}
