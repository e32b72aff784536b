/** The app's icon as the address of a picture. */
import { appIconSvg } from '../../../build/icons/appIcon.ts';

export default `data:image/svg+xml,${encodeURIComponent(appIconSvg(64))}`;
