/** The panels of the desktop tests, with their settings: a list of windows, the tray and a clock, 32 pixels high. */

interface PanelSettings {
  /** Path in the user's configuration folder. */
  readonly path: string;
  readonly text: string;
  /** Whether the panel is at the top of the screen. */
  readonly isAtTop: boolean;
  readonly height: number;
  /** Pattern of the window class of a menu. */
  readonly menuClass: string;
}

const xfce = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
        <value type="int" value="4"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="tasklist"/>
    <property name="plugin-2" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-3" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
    </property>
    <property name="plugin-4" type="string" value="clock"/>
  </property>
</channel>
`;

const lxqt = `panels=panel1

[panel1]
plugins=taskbar,statusnotifier,worldclock
position=Bottom
desktop=0
panelSize=32

[taskbar]
type=taskbar
buttonWidth=220

[statusnotifier]
alignment=Right
type=statusnotifier

[worldclock]
alignment=Right
type=worldclock
`;

export const panelSettings = {
  'xfce4-panel': {
    path: 'xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml',
    text: xfce,
    isAtTop: true,
    height: 32,
    // A panel plugin is a separate program.
    menuClass: '^wrapper-2.0$',
  },
  'lxqt-panel': { path: 'lxqt/panel.conf', text: lxqt, isAtTop: false, height: 32, menuClass: '^lxqt-panel$' },
} as const satisfies Readonly<Record<string, PanelSettings>>;

export type PanelName = keyof typeof panelSettings;
