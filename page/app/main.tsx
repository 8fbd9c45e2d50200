import { render } from 'preact';
import './main.css';
render(<p>soon</p>, document.body);
