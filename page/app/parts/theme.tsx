import { useEffect, useState } from 'preact/hooks';

const KEY = 'ralph-theme';
const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const kept = (): Theme => THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'auto';

/** Light, dark, or as the system says. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(kept);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
    window.dispatchEvent(new Event('themechange'));
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
